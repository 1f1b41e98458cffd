// A document sent to a thread in parts: copying a large one at once would hold the event loop.
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { isObject, type Node } from './definition.ts';

export interface Part {
  /** The keys that lead to the value. */
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** Parts are copied for this long in one turn of the event loop. */
const TURN_MS = 5;
/** `components`, `schemas`, a schema: no part of a document is larger by far than the others. */
const DEPTH = 3;

/** Posts each part of a document to a thread, then undefined. */
export async function sendDocument(thread: Worker, document: Node): Promise<void> {
  let startedAt = performance.now();
  for (const part of partsOf(document, [])) {
    thread.postMessage(part);
    if (performance.now() - startedAt < TURN_MS) continue;
    await turn();
    startedAt = performance.now();
  }
  thread.postMessage(undefined);
}

/** Puts a part at its place. */
export function addPart(document: Node, { keys, value }: Part): void {
  let holder = document;
  for (const key of keys.slice(0, -1)) holder = holder[key] ??= {};
  holder[keys.at(-1)!] = value;
}

function* partsOf(node: Node, keys: readonly string[]): Generator<Part> {
  for (const [key, value] of Object.entries(node)) {
    const inside = [...keys, key];
    const isSplit = inside.length < DEPTH && isObject(value) && Object.keys(value).length > 0;
    if (isSplit) yield* partsOf(value, inside);
    else yield { keys: inside, value };
  }
}
