// Sends a document to a worker thread in parts: structured cloning of a large one blocks the event loop.
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { isObject, type Node } from './node.ts';

export interface Part {
  /** The path of the value in the document. */
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** Sent after the parts. An object, because Deno turns undefined into null. */
export interface DocumentEnd {
  readonly isEnd: true;
}

/** Maximum time per event loop iteration. */
const TURN_MS = 5;
/** `components`, `schemas`, one schema: at this depth parts are of similar size. */
const DEPTH = 3;

/** Posts each part of a document to a worker thread, then {@link DocumentEnd}. */
export async function sendDocument(
  thread: Pick<Worker, 'postMessage'>,
  document: Node,
): Promise<void> {
  let startedAt = performance.now();
  for (const part of partsOf(document, [])) {
    thread.postMessage(part);
    if (performance.now() - startedAt < TURN_MS) continue;
    await turn();
    startedAt = performance.now();
  }
  thread.postMessage({ isEnd: true } satisfies DocumentEnd);
}

/** Adds a part to a document, in the worker thread. */
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
