// The thread that writes the contract as JSON: for a large contract that takes a second.
import { parentPort, workerData } from 'node:worker_threads';
import type { Node } from '../document/definition.ts';
import { sha256 } from '../document/hash.ts';
import { addPart, type Part } from '../document/parts.ts';
import { type JsonFile, jsonText, type PublishedContract } from './contractFile.ts';

export interface Order extends Omit<PublishedContract, 'document'> {
  readonly file: JsonFile;
}

export interface Written {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  readonly sum: string;
}

const { file, ...options } = workerData as Order;
const document: Node = {};

parentPort!.on('message', (part: Part | undefined) => {
  if (part !== undefined) addPart(document, part);
  else parentPort!.postMessage(written());
});

function written(): Written {
  const bytes = Buffer.from(jsonText(file, { ...options, document }));
  return { bytes, sum: sha256(bytes) };
}
