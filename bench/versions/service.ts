// A service of toys, as a process: sends its memory and start time, then its CPU time for each message.
import { Contract } from '@stubwright/contract';
import { readSettings, startService } from '@stubwright/service';
import { parse } from 'yaml';
import { contract, DEPTH, handlers } from './toys.ts';

const document = parse(
  `openapi: 3.1.0\ninfo: {title: Toys, version: '${DEPTH + 1}.0.0'}\n${contract(DEPTH)}`,
);
const compatibility = process.argv[2];
const startedAt = process.cpuUsage();
const service = await startService({
  settings: readSettings({
    PORT: '0',
    LOG_LEVEL: 'silent',
    LAG_LIMIT: '60000',
    NODE_ENV: 'production',
  }),
  contract: {
    ...{ definition: new Contract(document), warnings: [], files: [] },
    publish: () => Promise.reject(new Error('not published')),
  },
  handlers: handlers as never,
  compatibility,
});
const { user, system } = process.cpuUsage(startedAt);
globalThis.gc?.();
const { heapUsed, external } = process.memoryUsage();
process.on('message', () => process.send?.(process.cpuUsage()));
process.send?.({
  ...{ url: service.url, cpuMs: (user + system) / 1000, bytes: heapUsed + external },
});
