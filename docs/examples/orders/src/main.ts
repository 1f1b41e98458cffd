// Starts the service with its page, and an issuer of tokens for this demonstration.
import { runService } from '@stubwright/service';
import { startIssuer } from './issuer.ts';
import { pageOf } from './page.ts';
import { service } from './service.ts';

const issuer = await startIssuer();
const env = {
  ...issuer.settings,
  // The digest of `key-of-the-warehouse`, so the key itself is nowhere in the service.
  API_TOKENS:
    'sha256:bd5e594b813b5d223353f0d3b2aa0cae14305005a6abcd2f4331212940ea8455 name=warehouse scheme=apiKey',
  RATE_LIMIT: '300/1m',
  ...process.env,
};
await runService({ ...service, env, middleware: [pageOf(issuer)] });
