// multipart/mixed (RFC 2046, section 5.1): each item is a part, as JSON or text.
import { randomUUID } from 'node:crypto';
import { contentTooLarge } from '../../errors/problem.ts';
import { NotSerializable, parseJsonBody, toText, writeJson } from '../../json/json.ts';
import { isJsonMediaType } from '../../operations/mediaType.ts';
import { commonTypes, type Schema } from '../../schema/model.ts';
import { describeErrors, type Validators } from '../../schema/validator.ts';
import { serializerOf } from '../jsonWriter.ts';
import { boundaryOf, bytesOf, partsOf, type ReceivedPart } from '../multipart/parts.ts';
import { type ItemCodec, type ItemWriter, MAX_ITEM_BYTES, validationOf } from './itemCodec.ts';
import { plainItem } from './jsonItems.ts';

const LINE = '\r\n';

/** @param contentType of `itemEncoding`; by default JSON, for strings text */
export function mixedItems(
  item: Schema,
  validators: Validators,
  contentType: string | undefined,
): ItemCodec {
  const validate = validators.at(item.pointer);
  const serialize = serializerOf(validators, item);
  const isText = commonTypes(item.conjuncts)?.join() === 'string';
  const type = contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json');
  const serialized = isJsonMediaType(type) ? serialize : String;
  const textOf = (item: unknown, isValidated: boolean) => {
    const value = plainItem(item);
    if (validate(value)) return serialized(value);
    if (!isValidated) return writeJson(value);
    throw new NotSerializable(describeErrors(validate.errorsOf(value), ''));
  };
  return {
    writer: () => partWriter(type, textOf),
    reader(header) {
      const boundary = boundaryOf(header);
      return async function* (body) {
        for await (const part of partsOf(body, boundary)) yield await itemIn(part);
      };
    },
    ...validationOf(item, validators),
  };
}

/** Its boundary is random: no stored text can contain it. */
function partWriter(type: string, textOf: ItemWriter['write']): ItemWriter {
  const boundary = randomUUID();
  const head = `--${boundary}${LINE}Content-Type: ${type}${LINE}${LINE}`;
  return {
    contentType: (declared) => `${declared}; boundary=${boundary}`,
    write: (value, isValidated) => `${head}${textOf(value, isValidated)}${LINE}`,
    end: `--${boundary}--${LINE}`,
  };
}

async function itemIn({ headers, content }: ReceivedPart): Promise<unknown> {
  const bytes = await bytesOf(content, MAX_ITEM_BYTES, () => contentTooLarge(MAX_ITEM_BYTES));
  const text = toText(bytes);
  return isJsonMediaType(headers['content-type']) ? parseJsonBody(bytes, text) : text;
}
