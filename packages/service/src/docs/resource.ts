// HTTP resources from memory or from a file, with cached compressed representations.

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sha256 } from '@stubwright/contract';

/** Content codings (RFC 9110, section 8.4.1), in order of preference. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof ENCODINGS)[number];

/** A representation in one content coding. */
export interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  /** In quotes (RFC 9110, section 8.8.3); differs per content coding. */
  readonly etag: string;
  readonly bytes: number;
  open(): Uint8Array | Readable;
}

export type Resource = (encoding: ContentCoding) => Promise<Representation>;

/** Compresses 13 MB in 0.5 s; quality 11 takes 100 times as long for 10 % less. */
const BROTLI_QUALITY = 5;
/** Asynchronous: zlib runs in the thread pool of libuv. */
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

/** @param hash differs between contents */
export function bytesResource(
  bytes: Uint8Array,
  hash: string,
  headers: Record<string, string>,
): Resource {
  return withCompression(
    { headers, etag: `"${hash.slice(0, 32)}"`, bytes: bytes.length, open: () => bytes },
    async () => bytes,
  );
}

/** @param version differs between contents */
export async function fileResource(path: string, type: string, version: string): Promise<Resource> {
  const { size } = await stat(path);
  const headers = { 'Content-Type': type };
  const plain = { headers, etag: `"${version}"`, bytes: size, open: () => createReadStream(path) };
  return withCompression(plain, () => readFile(path));
}

function withCompression(plain: Representation, read: () => Promise<Uint8Array>): Resource {
  const headers = {
    ...plain.headers,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  };
  const compressedRepresentations = new Map<ContentCoding, Promise<Representation>>();
  const compress = async (encoding: keyof typeof COMPRESSORS): Promise<Representation> => {
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
    const representation = compressedRepresentations.get(encoding) ?? compress(encoding);
    compressedRepresentations.set(encoding, representation);
    representation.catch(() => compressedRepresentations.delete(encoding));
    return representation;
  };
}

/** @returns the preferred content coding of `Accept-Encoding` (RFC 9110, section 12.5.3) */
export function acceptedEncoding(header: string | undefined): ContentCoding {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [name = '', weight = '1'] = item.split(/;\s*q\s*=\s*/);
    weights.set(name.trim(), Number(weight));
  }
  const weightOf = (encoding: ContentCoding) => {
    const fallback = encoding === 'identity' ? 0.001 : 0;
    return weights.get(encoding) ?? weights.get('*') ?? fallback;
  };
  // Sorting is stable: equal weights stay in the order of ENCODINGS.
  const [best] = [...ENCODINGS].sort((a, b) => weightOf(b) - weightOf(a));
  return weightOf(best!) > 0 ? best! : 'identity';
}
