// A client of the service under test, which compares each response with the contract.
import { after } from 'node:test';
import { createLog } from 'stubwright/service';
import { testClient } from 'stubwright/testing';
import type { operations } from '../../generated/contract.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';

// Tests share this process and its event loop.
const config = readConfig({ PORT: '0', LAG_LIMIT: '60000' });
const service = await startService(config, [], createLog('silent'));
after(() => service.stop());

export const client = await testClient<operations>({
  contract: config.contract,
  target: service.url,
  token: service.generatedToken,
});
