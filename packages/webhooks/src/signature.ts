// Signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 with shared secrets.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { expectNumbers, SECONDS } from '@stubwright/contract';

/** Accepted difference between the clocks of sender and receiver. */
const TOLERANCE_SECONDS = 5 * 60;
const PREFIX = 'whsec_';
const MIN_KEY_BYTES = 16;

/** The headers of a signed message. */
export interface WebhookHeaders {
  readonly 'webhook-id': string;
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** `v1,<base64>` for each secret, separated by spaces. */
  readonly 'webhook-signature': string;
}

/** A message whose signature, age or headers are not valid. Respond with 401. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

/** A received message. */
export interface ReceivedWebhook {
  /** Of a Request, or of Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it was received: a parsed body that is serialized again may have other bytes. */
  readonly body: string | Uint8Array;
  /** `whsec_` and base64; while a secret is replaced, the old and the new one. */
  readonly secrets: readonly string[];
  /** By default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** By default the current time. */
  readonly now?: Date | undefined;
}

/** @throws {TypeError} without a secret, and for one that is not base64 or shorter than 16 bytes */
export function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string | Uint8Array },
  secrets: readonly string[],
  now = new Date(),
): WebhookHeaders {
  const timestamp = String(secondsOf(now));
  const signatures = keysOf(secrets).map((key) => `v1,${signed(key, id, timestamp, body)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * Verifies a message that any sender of Standard Webhooks has signed.
 *
 * @returns its id: a message that is sent again has the same one
 * @throws {InvalidWebhook} if no secret has signed the bytes, or if the message is too old or from the future
 * @throws {TypeError} for a secret that is not valid
 * @throws {RangeError | TypeError} for a tolerance that is not a number of seconds, and an invalid `now`
 */
export function verifyWebhook({
  headers,
  body,
  secrets,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = new Date(),
}: ReceivedWebhook): string {
  expectNumbers({ toleranceSeconds }, { toleranceSeconds: SECONDS });
  const keys = keysOf(secrets);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new InvalidWebhook('webhook-timestamp: expected seconds since 1970');
  }
  const age = secondsOf(now) - Number(timestamp);
  if (Math.abs(age) > toleranceSeconds) {
    throw new InvalidWebhook(
      `webhook-timestamp: expected at most ${toleranceSeconds} s of difference, got ${age} s`,
    );
  }
  const expected = keys.map((key) => Buffer.from(signed(key, id, timestamp, body)));
  const isSigned = signatures.split(' ', MAX_SIGNATURES).some((part) => {
    if (!part.startsWith('v1,')) return false;
    const received = Buffer.from(part.slice('v1,'.length));
    return expected.some((mac) => mac.length === received.length && timingSafeEqual(mac, received));
  });
  if (!isSigned) throw new InvalidWebhook('webhook-signature: expected one of a known secret');
  return id;
}

/** @throws {RangeError} for an invalid date */
function secondsOf(now: Date): number {
  const seconds = Math.floor(now.getTime() / 1000);
  if (Number.isNaN(seconds)) throw new RangeError('now: got an invalid date, expected a valid one');
  return seconds;
}

/** More are not compared. */
const MAX_SIGNATURES = 20;

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidWebhook(`${name}: expected one header`);
}

function signed(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

function keysOf(secrets: readonly string[]): Buffer[] {
  if (secrets.length === 0) throw new TypeError('secrets: expected at least one');
  return secrets.map((secret) => {
    const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
    const key = Buffer.from(text, 'base64');
    // The secret is not part of the message.
    if (/^[\w+/-]+={0,2}$/.test(text) && key.length >= MIN_KEY_BYTES) return key;
    throw new TypeError(
      `secrets: expected ${PREFIX} and at least ${MIN_KEY_BYTES} bytes in base64`,
    );
  });
}
