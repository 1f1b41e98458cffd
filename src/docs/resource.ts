// A thing that a browser can get: text in memory or a file on disk. Knows HTTP's names for it, and
// nothing of contracts.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { sha256 } from '../contract/loading/hash.ts';

export interface Resource {
  readonly headers: Readonly<Record<string, string>>;
  /** In quotes (RFC 9110, section 8.8.3). */
  readonly etag: string;
  readonly bytes: number;
  open(): string | Readable;
}

export function textResource(text: string, headers: Record<string, string>): Resource {
  return {
    headers: { ...headers, 'X-Content-Type-Options': 'nosniff' },
    etag: `"${sha256(text).slice(0, 32)}"`,
    bytes: Buffer.byteLength(text),
    open: () => text,
  };
}

/** @param version tells one content of the file from another */
export async function fileResource(path: string, type: string, version: string): Promise<Resource> {
  const { size } = await stat(path);
  return {
    headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' },
    etag: `"${version}"`,
    bytes: size,
    open: () => createReadStream(path),
  };
}
