// A thing that a browser can get: bytes in memory or a file on disk, compressed once. Knows HTTP's names
// for it, and nothing of contracts.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sha256 } from '../document/hash.ts';

/** A content coding (RFC 9110, section 8.4.1), the preferred one first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What is sent for one encoding. */
export interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  /** In quotes (RFC 9110, section 8.8.3); another for each encoding. */
  readonly etag: string;
  readonly bytes: number;
  open(): Uint8Array | Readable;
}

export type Resource = (encoding: Encoding) => Promise<Representation>;

/** 13 MB in half a second; the best quality, 11, takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 5;
/** In the thread pool of libuv. */
const COMPRESSORS = {
  gzip: promisify<Uint8Array, Buffer>(gzip),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

export function textResource(text: string, headers: Record<string, string>): Resource {
  return bytesResource(Buffer.from(text), sha256(text), headers);
}

/** @param sum differs between contents */
export function bytesResource(
  bytes: Uint8Array,
  sum: string,
  headers: Record<string, string>,
): Resource {
  return compressing(
    { headers, etag: `"${sum.slice(0, 32)}"`, bytes: bytes.length, open: () => bytes },
    async () => bytes,
  );
}

/** @param version differs between contents of the file */
export async function fileResource(path: string, type: string, version: string): Promise<Resource> {
  const { size } = await stat(path);
  const headers = { 'Content-Type': type };
  const plain = { headers, etag: `"${version}"`, bytes: size, open: () => createReadStream(path) };
  return compressing(plain, () => readFile(path));
}

function compressing(plain: Representation, read: () => Promise<Uint8Array>): Resource {
  const headers = {
    ...plain.headers,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  };
  const made = new Map<Encoding, Promise<Representation>>();
  const compressed = async (encoding: keyof typeof COMPRESSORS): Promise<Representation> => {
    const bytes = await COMPRESSORS[encoding](await read());
    return {
      headers: { ...headers, 'Content-Encoding': encoding },
      etag: plain.etag.replace(/"$/, `-${encoding}"`),
      bytes: bytes.length,
      open: () => bytes,
    };
  };
  return (encoding) => {
    if (encoding === 'identity') return Promise.resolve({ ...plain, headers });
    const representation = made.get(encoding) ?? compressed(encoding);
    made.set(encoding, representation);
    representation.catch(() => made.delete(encoding));
    return representation;
  };
}

/** @returns the preferred encoding that `Accept-Encoding` accepts (RFC 9110, section 12.5.3) */
export function acceptedEncoding(header: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [name = '', weight = '1'] = item.split(/;\s*q\s*=\s*/);
    weights.set(name.trim(), Number(weight));
  }
  const weightOf = (encoding: Encoding) => {
    const usual = encoding === 'identity' ? 0.001 : 0;
    return weights.get(encoding) ?? weights.get('*') ?? usual;
  };
  // Sorting is stable: of equal weights the first of ENCODINGS wins.
  const [best] = [...ENCODINGS].sort((a, b) => weightOf(b) - weightOf(a));
  return weightOf(best!) > 0 ? best! : 'identity';
}
