// A file of the contract, written by a thread of its own: the event loop is never held for long.
import { extname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { isObject, type Node } from '../contract/definition/definition.ts';
import type { ContractFile, PublishedContract } from './contractFile.ts';
import type { Order, Part, Written } from './contractThread.ts';
import { bytesResource, type Resource } from './resource.ts';

/** Parts are copied to the thread for this long in one turn of the event loop. */
const TURN_MS = 5;
/** `components`, `schemas`, a schema: no part of a document is larger by far than the others. */
const DEPTH = 3;

/** Anybody's tools may read a contract: a web page of another host too. */
const OPEN = { 'Access-Control-Allow-Origin': '*' };
const JSON_TYPE = { ...OPEN, 'Content-Type': 'application/json' };
const HEADERS: Readonly<Record<ContractFile, Record<string, string>>> = {
  yaml: { ...OPEN, 'Content-Type': 'application/yaml' },
  json: JSON_TYPE,
  page: JSON_TYPE,
};

/** @throws what the thread throws */
export async function contractResource(
  file: ContractFile,
  { document, ...options }: PublishedContract,
): Promise<Resource> {
  const order: Order = { file, ...options };
  const script = new URL(`./contractThread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(script, { workerData: order });
  thread.unref();
  try {
    const written = new Promise<Written>((resolve, reject) => {
      thread.once('message', resolve).once('error', reject);
      thread.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
    });
    // It may fail while parts are still sent.
    written.catch(() => {});
    let startedAt = performance.now();
    for (const part of partsOf(document, [])) {
      thread.postMessage(part);
      if (performance.now() - startedAt < TURN_MS) continue;
      await turn();
      startedAt = performance.now();
    }
    thread.postMessage(undefined);
    const { bytes, sum } = await written;
    return bytesResource(bytes, sum, HEADERS[file]);
  } finally {
    await thread.terminate();
  }
}

function* partsOf(node: Node, keys: readonly string[]): Generator<Part> {
  for (const [key, value] of Object.entries(node)) {
    const inside = [...keys, key];
    const isSplit = inside.length < DEPTH && isObject(value) && Object.keys(value).length > 0;
    if (isSplit) yield* partsOf(value, inside);
    else yield { keys: inside, value };
  }
}
