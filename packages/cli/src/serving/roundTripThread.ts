// The thread that runs the converters of the served versions, which the command can terminate.
import { parentPort, workerData } from 'node:worker_threads';
import { type ThreadData, type ThreadMessage, versionFailures } from './servedClients.ts';

const post = (message: ThreadMessage) => parentPort?.postMessage(message);

async function postFailures({ path, access }: ThreadData): Promise<void> {
  const onOperation = () => post({});
  for await (const message of versionFailures(path, { access, onOperation })) post(message);
}

// At the top level, Node would warn of a converter that never settles.
void postFailures(workerData);
