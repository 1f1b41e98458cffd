// A file of the contract, written by a thread of its own: the event loop is never held for long.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sendDocument } from '../document/parts.ts';
import type { ContractFile, PublishedContract } from './contractFile.ts';
import type { Order, Written } from './contractThread.ts';
import { bytesResource, type Resource } from './resource.ts';

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
    await sendDocument(thread, document);
    const { bytes, sum } = await written;
    return bytesResource(bytes, sum, HEADERS[file]);
  } finally {
    await thread.terminate();
  }
}
