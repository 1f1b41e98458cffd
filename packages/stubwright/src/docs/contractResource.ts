// The contract as YAML and JSON. A thread writes JSON: the event loop is never held for long.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PublishedYaml } from '../contract/bundle.ts';
import { sendDocument } from '../document/parts.ts';
import { type JsonFile, type PublishedContract, yamlText } from './contractFile.ts';
import type { Order, Written } from './contractThread.ts';
import { bytesResource, type Resource, textResource } from './resource.ts';

/** Anybody's tools may read a contract: a web page of another host too. */
const OPEN = { 'Access-Control-Allow-Origin': '*' };
const YAML_HEADERS = { ...OPEN, 'Content-Type': 'application/yaml' };
const JSON_HEADERS = { ...OPEN, 'Content-Type': 'application/json' };

export function yamlResource(yaml: PublishedYaml, baseUrl: string | undefined): Resource {
  return textResource(yamlText(yaml, baseUrl), YAML_HEADERS);
}

/** @throws what the thread throws */
export async function jsonResource(
  file: JsonFile,
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
    return bytesResource(bytes, sum, JSON_HEADERS);
  } finally {
    await thread.terminate();
  }
}
