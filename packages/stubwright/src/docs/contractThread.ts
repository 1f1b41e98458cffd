// The thread that writes a file of the contract: for a large contract that takes seconds.
import { parentPort, workerData } from 'node:worker_threads';
import type { Node } from '../document/definition.ts';
import { addPart, type Part } from '../document/parts.ts';
import { sha256 } from '../loading/hash.ts';
import { type ContractFile, contractText, type PublishedContract } from './contractFile.ts';

export interface Order extends Omit<PublishedContract, 'document'> {
  readonly file: ContractFile;
}

export interface Written {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  readonly sum: string;
}

const { file, ...options } = workerData as Order;
const document: Node = {};

parentPort!.on('message', async (part: Part | undefined) => {
  if (part !== undefined) addPart(document, part);
  else parentPort!.postMessage(await written());
});

async function written(): Promise<Written> {
  const bytes = Buffer.from(await contractText(file, { ...options, document }));
  return { bytes, sum: sha256(bytes) };
}
