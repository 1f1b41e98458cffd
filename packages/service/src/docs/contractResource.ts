// The contract as YAML and JSON resources; a worker thread serializes the JSON.

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type PublishedYaml, sendDocument } from '@stubwright/contract';
import { type JsonFile, type PublishedContract, yamlText } from './contractFile.ts';
import type { SerializedContract, SerializeOptions } from './contractThread.ts';
import { bytesResource, type Resource, textResource } from './resource.ts';

/** Tools of any origin may read the contract. */
const CORS = { 'Access-Control-Allow-Origin': '*' };
const YAML_HEADERS = { ...CORS, 'Content-Type': 'application/yaml' };
const JSON_HEADERS = { ...CORS, 'Content-Type': 'application/json' };

export function yamlResource(yaml: PublishedYaml, serverUrl: string | undefined): Resource {
  return textResource(yamlText(yaml, serverUrl), YAML_HEADERS);
}

/** @throws the error of the worker thread */
export async function jsonResource(
  file: JsonFile,
  { document, ...options }: PublishedContract,
): Promise<Resource> {
  const workerData: SerializeOptions = { file, ...options };
  const script = new URL(`./contractThread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(script, { workerData });
  thread.unref();
  try {
    const serialized = new Promise<SerializedContract>((resolve, reject) => {
      thread.once('message', resolve).once('error', reject);
      thread.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
    });
    // The thread may fail while parts are being sent.
    serialized.catch(() => {});
    await sendDocument(thread, document);
    const { bytes, hash } = await serialized;
    return bytesResource(bytes, hash, JSON_HEADERS);
  } finally {
    await thread.terminate();
  }
}
