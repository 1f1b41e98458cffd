// The worker thread of a sweep, which corpus.ts can terminate.
import { parentPort, workerData } from 'node:worker_threads';
import { loadMockable } from '@stubwright/cli/loader';
import { sweep } from './sweep.ts';

const { path, url } = workerData as { path: string; url: string };
parentPort!.postMessage(await sweep(await loadMockable(path), url));
