// The worker thread of a sweep, which corpus.ts can terminate.
import { parentPort, workerData } from 'node:worker_threads';
import { loadMockable } from '@stubwright/cli/loader';
import { sweep } from './sweep.ts';

const { path, url, folder } = workerData as { path: string; url: string; folder: string };
const contract = await loadMockable(path, { allowOutside: [folder] });
parentPort!.postMessage(await sweep(contract, url));
