// The thread that writes a file of the contract: for a large contract that takes seconds.
import { parentPort, workerData } from 'node:worker_threads';
import type { Node } from '../contract/definition/definition.ts';
import { sha256 } from '../contract/loading/hash.ts';
import { type ContractFile, contractText, type PublishedContract } from './contractFile.ts';

/** The document arrives in parts, each with the keys that lead to it; undefined comes last. */
export interface Part {
  readonly keys: readonly string[];
  readonly value: unknown;
}

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
  if (part !== undefined) add(part);
  else parentPort!.postMessage(await written());
});

function add({ keys, value }: Part): void {
  let holder = document;
  for (const key of keys.slice(0, -1)) holder = holder[key] ??= {};
  holder[keys.at(-1)!] = value;
}

async function written(): Promise<Written> {
  const bytes = Buffer.from(await contractText(file, { ...options, document }));
  return { bytes, sum: sha256(bytes) };
}
