// The worker thread of a sweep, which corpus.ts can terminate.
import { parentPort, workerData } from 'node:worker_threads';
import { loadMockable } from '../loading/load.ts';
import { sweep } from './sweep.ts';

const { path, url } = workerData as { path: string; url: string };
parentPort!.postMessage(await sweep(await loadMockable(path), url));
