// Worker thread that serializes the contract as JSON, which takes a second for a large one.

import { parentPort, workerData } from 'node:worker_threads';
import { addPart, type DocumentEnd, type Node, type Part, sha256 } from '@stubwright/contract';
import { type JsonFile, jsonText, type PublishedContract } from './contractFile.ts';

export interface SerializeOptions extends Omit<PublishedContract, 'document'> {
  readonly file: JsonFile;
}

export interface SerializedContract {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

const { file, ...options } = workerData as SerializeOptions;
const document: Node = {};

parentPort!.on('message', (message: Part | DocumentEnd) => {
  if ('isEnd' in message) parentPort!.postMessage(serialized());
  else addPart(document, message);
});

function serialized(): SerializedContract {
  const bytes = Buffer.from(jsonText(file, { ...options, document }));
  return { bytes, hash: sha256(bytes) };
}
