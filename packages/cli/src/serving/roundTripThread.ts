// The thread that runs the converters of the served versions, which the command can terminate.
import { parentPort, workerData } from 'node:worker_threads';
import { postFailures } from './servedClients.ts';

// At the top level, Node would warn of a converter that never settles.
void postFailures(workerData, (message) => parentPort?.postMessage(message));
