// multipart/mixed (RFC 2046, section 5.1): each item is a part, as JSON or text.
import { randomUUID } from 'node:crypto';
import { contentTooLarge, malformedBody } from '../../errors/problem.ts';
import { parseJsonBody, toText } from '../../json/json.ts';
import { Coercions } from '../../schema/coercion.ts';
import { commonTypes, type Schema } from '../../schema/model.ts';
import { describeErrors, type Validators } from '../../schema/validator.ts';
import { NotSerializable, serializerOf } from '../jsonWriter.ts';
import { isJsonMediaType, parseMediaType } from '../mediaType.ts';
import { type ItemCodec, MAX_ITEM_BYTES } from './itemCodec.ts';
import { unvalidatedJson } from './jsonItems.ts';

const LINE = '\r\n';
const HEAD_END = Buffer.from('\r\n\r\n');

/** @param contentType of `itemEncoding`; by default JSON, for strings text */
export function mixedItems(
  item: Schema,
  validators: Validators,
  contentType: string | undefined,
): ItemCodec {
  const validate = validators.at(item.pointer);
  const serialize = serializerOf(validators, item);
  const coercion = new Coercions(validators).at(item.pointer);
  const isText = commonTypes(item.conjuncts)?.join() === 'string';
  const type = contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json');
  const write = isJsonMediaType(type) ? serialize : String;
  const boundary = randomUUID();
  return {
    contentType: (declared) => `${declared}; boundary=${boundary}`,
    write(value, isValidated) {
      const isValid = validate(value);
      if (isValidated && !isValid) {
        throw new NotSerializable(describeErrors(validate.errorsOf(value), ''));
      }
      const text = isValid ? write(value) : unvalidatedJson(value);
      return `--${boundary}${LINE}Content-Type: ${type}${LINE}${LINE}${text}${LINE}`;
    },
    end: `--${boundary}--${LINE}`,
    async *read(body, header) {
      const own = parseMediaType(header)?.parameters.get('boundary');
      if (own === undefined || own === '') throw malformedBody('expected a boundary');
      for await (const part of partsOf(body, own)) yield itemIn(part);
    },
    errorsOf: (value) => (validate(value) ? [] : validate.errorsOf(value)),
    coerced: (value) => (coercion ? coercion(value) : value),
  };
}

/** @param part headers and body, after the line of the boundary */
function itemIn(part: Buffer): unknown {
  const headEnd = part.indexOf(HEAD_END);
  if (headEnd < 0) throw malformedBody('expected an empty line after the headers of a part');
  const head = part.subarray(0, headEnd).toString('latin1');
  const [, type] = /^content-type:[ \t]*(.*)$/im.exec(head) ?? [];
  const bytes = part.subarray(headEnd + HEAD_END.length);
  const text = toText(bytes);
  return isJsonMediaType(type) ? parseJsonBody(bytes, text) : text;
}

/** @yields the bytes between the boundaries; the time is linear in the length of the body */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Buffer, void, undefined> {
  const delimiter = Buffer.from(`${LINE}--${boundary}`);
  // The first boundary needs no line before it.
  let pieces: Uint8Array[] = [Buffer.from(LINE)];
  let length = LINE.length;
  let isInside = false;
  for await (const chunk of body) {
    const tail = Buffer.concat([...lastBytes(pieces, delimiter.length - 1), chunk]);
    pieces.push(chunk);
    length += chunk.length;
    if (tail.includes(delimiter)) {
      let rest = Buffer.concat(pieces);
      for (let at = rest.indexOf(delimiter); at >= 0; at = rest.indexOf(delimiter)) {
        const part = rest.subarray(0, at);
        if (isInside) yield part;
        rest = rest.subarray(at + delimiter.length);
        // The last boundary, which an epilogue may follow.
        if (rest.subarray(0, 2).toString('latin1') === '--') return;
        isInside = true;
      }
      pieces = [rest];
      length = rest.length;
    }
    if (length > MAX_ITEM_BYTES) throw contentTooLarge(MAX_ITEM_BYTES);
  }
  if (Buffer.concat(pieces).subarray(0, 2).toString('latin1') !== '--') {
    throw malformedBody('expected the last boundary');
  }
}

/** @returns the pieces with at least the last `count` bytes, cut in front */
function lastBytes(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  const last: Uint8Array[] = [];
  let left = count;
  for (let at = pieces.length - 1; at >= 0 && left > 0; at--) {
    const piece = pieces[at]!;
    last.unshift(piece.subarray(Math.max(0, piece.length - left)));
    left -= piece.length;
  }
  return last;
}
