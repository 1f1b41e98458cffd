// JSON Lines, NDJSON and JSON text sequences (RFC 7464): each item is one JSON text.
import { contentTooLarge } from '../../errors/problem.ts';
import { NotSerializable, parseJsonBody, plainData, toText, writeJson } from '../../json/json.ts';
import type { Schema } from '../../schema/model.ts';
import { describeErrors, type Validators } from '../../schema/validator.ts';
import { serializerOf } from '../jsonWriter.ts';
import { type ItemCodec, type ItemWriter, MAX_ITEM_BYTES, validationOf } from './itemCodec.ts';

const LINE_FEED = 0x0a;
const RECORD_SEPARATOR = 0x1e;

/** @param isSequence true for RFC 7464: each text starts with a record separator */
export function jsonItems(item: Schema, validators: Validators, isSequence: boolean): ItemCodec {
  const validate = validators.at(item.pointer);
  const serialize = serializerOf(validators, item);
  const start = isSequence ? '\x1e' : '';
  const writer: ItemWriter = {
    write(item, isValidated) {
      const value = plainItem(item);
      if (!isValidated) return `${start}${writeJson(value)}\n`;
      if (!validate(value)) throw new NotSerializable(describeErrors(validate.errorsOf(value), ''));
      return `${start}${serialize(value)}\n`;
    },
  };
  async function* read(body: AsyncIterable<Uint8Array>) {
    for await (const bytes of split(body, isSequence ? RECORD_SEPARATOR : LINE_FEED)) {
      const text = toText(bytes);
      if (text.trim() !== '') yield parseJsonBody(bytes, text);
    }
  }
  return {
    writer: () => writer,
    reader: () => read,
    ...validationOf(item, validators),
  };
}

/** @throws {NotSerializable} for a value without JSON */
export function plainItem(item: unknown): unknown {
  const value = plainData(item);
  if (value === undefined) throw new NotSerializable(`expected a JSON value, got ${typeof item}`);
  return value;
}

/** @yields the parts between the delimiters; the time is linear in the length of the body */
async function* split(
  body: AsyncIterable<Uint8Array>,
  delimiter: number,
): AsyncGenerator<Buffer, void, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const part = () => {
    const bytes = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return bytes;
  };
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > MAX_ITEM_BYTES) throw contentTooLarge(MAX_ITEM_BYTES);
    pieces.push(piece);
  };
  for await (const chunk of body) {
    let from = 0;
    for (let at = chunk.indexOf(delimiter); at >= 0; at = chunk.indexOf(delimiter, from)) {
      add(chunk.subarray(from, at));
      yield part();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  yield part();
}
