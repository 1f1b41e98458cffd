// A client of the service under test, which compares each response with the contract.
import { after } from 'node:test';
import { startService } from 'stubwright/service';
import { testClient } from 'stubwright/testing';
import type { operations } from '../../generated/contract.ts';
import { service as options } from '../../src/service.ts';

// Tests share this process and its event loop.
const env = { PORT: '0', LAG_LIMIT: '60000', LOG_LEVEL: 'silent' };
const service = await startService({ ...options, env });
after(() => service.stop());

export const client = await testClient<operations>({
  contract: 'generated/contract.json',
  target: service.url,
  token: service.generatedToken,
});
