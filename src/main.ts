// Starts the plant store.
import { runService } from 'stubwright/service';
import { readConfig } from './config.ts';
import { startService } from './service.ts';

await runService({
  readConfig,
  start: startService,
  // SQLite verifies a large file in one synchronous call.
  blocksAtStart: ({ databaseUrl }) => databaseUrl.startsWith('sqlite:'),
});
