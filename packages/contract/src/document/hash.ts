// SHA-256 of contents.
import { createHash } from 'node:crypto';

/** @returns the SHA-256 of a text file with the line endings of Unix: git may convert them */
export function textHash(content: Buffer): string {
  if (!content.includes('\r\n')) return sha256(content);
  return sha256(Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'));
}

/** @returns the SHA-256 in hexadecimal */
export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
