// Cursors: the key of the last row of a page, signed.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { stringifyJson } from '@stubwright/contract';

/** A value by which rows are sorted; an absent one is null. */
export type KeyValue = string | number | bigint | boolean | null;

/** The format: version, time in seconds, fingerprint, key as JSON, signature. */
const VERSION = 1;
const TIME_AT = 1;
const FINGERPRINT_AT = TIME_AT + 4;
const FINGERPRINT_BYTES = 12;
const KEY_AT = FINGERPRINT_AT + FINGERPRINT_BYTES;
/** Half of SHA-256 (RFC 2104, section 5). */
const SIGNATURE_BYTES = 16;

/** In characters; Node's HTTP server accepts 16 KiB of headers. */
const MAX_LENGTH = 4096;

/** Separates the signatures from others with the same secret. */
const PURPOSE = 'stubwright cursor\0';

/** Why a cursor is not valid, as an expectation. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/** What a cursor belongs to. */
export interface CursorContext {
  /** Of {@link listFingerprint}. */
  readonly fingerprint: Buffer;
  readonly maxAgeSeconds?: number | undefined;
}

/** @param parts the operation, its order and its filters: values of JSON @returns the same for equal parts */
export function listFingerprint(parts: readonly unknown[]): Buffer {
  const digest = createHash('sha256').update(stringifyJson(parts)).digest();
  return digest.subarray(0, FINGERPRINT_BYTES);
}

/**
 * @param secrets the first one signs, all verify
 * @param now in seconds
 * @throws {Error} for a key that is too long
 */
export function writeCursor(
  key: readonly KeyValue[],
  { fingerprint }: CursorContext,
  secrets: readonly string[],
  now = seconds(),
): string {
  const head = Buffer.alloc(KEY_AT);
  head.writeUInt8(VERSION);
  head.writeUInt32BE(now, TIME_AT);
  fingerprint.copy(head, FINGERPRINT_AT);
  const signed = Buffer.concat([head, Buffer.from(JSON.stringify(key.map(tagged)))]);
  const text = Buffer.concat([signed, signature(signed, secrets[0]!)]).toString('base64url');
  if (text.length <= MAX_LENGTH) return text;
  throw new Error(
    `a cursor of ${text.length} characters, expected at most ${MAX_LENGTH}: order by shorter values`,
  );
}

/** @throws {CursorError} for a cursor that is forged, expired, or of another context */
export function readCursor(
  text: string,
  { fingerprint, maxAgeSeconds }: CursorContext,
  secrets: readonly string[],
  now = seconds(),
): KeyValue[] {
  const bytes = bytesOf(text);
  const end = bytes.length - SIGNATURE_BYTES;
  if (end < KEY_AT) throw new CursorError(UNCHANGED);
  if (bytes[0] !== VERSION) throw new CursorError(`a cursor of this version, ${RESTART}`);
  const signed = bytes.subarray(0, end);
  const given = bytes.subarray(end);
  if (!secrets.some((secret) => timingSafeEqual(signature(signed, secret), given))) {
    throw new CursorError(UNCHANGED);
  }
  if (maxAgeSeconds !== undefined && now - bytes.readUInt32BE(TIME_AT) > maxAgeSeconds) {
    throw new CursorError(`a cursor of the last ${maxAgeSeconds} s, ${RESTART}`);
  }
  if (!bytes.subarray(FINGERPRINT_AT, KEY_AT).equals(fingerprint)) {
    throw new CursorError(`a cursor of this list, with the same filters, ${RESTART}`);
  }
  return JSON.parse(signed.toString('utf8', KEY_AT)).map(untagged);
}

const RESTART = 'or none for the first page';
const UNCHANGED = `a cursor that the service returned, unchanged, ${RESTART}`;

function bytesOf(text: string): Buffer {
  if (text.length > MAX_LENGTH) throw new CursorError(UNCHANGED);
  const bytes = Buffer.from(text, 'base64url');
  // Node ignores other characters.
  if (bytes.toString('base64url') !== text) throw new CursorError(UNCHANGED);
  return bytes;
}

function signature(signed: Buffer, secret: string): Buffer {
  const digest = createHmac('sha256', secret).update(PURPOSE).update(signed).digest();
  return digest.subarray(0, SIGNATURE_BYTES);
}

function tagged(value: KeyValue): unknown {
  return typeof value === 'bigint' ? [String(value)] : value;
}

function untagged(value: Exclude<KeyValue, bigint> | readonly [string]): KeyValue {
  return Array.isArray(value) ? BigInt(value[0]) : (value as KeyValue);
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
