// Starts the plant store: openapi.yaml, its handlers, and a store of plants.
import { runService } from 'stubwright';
import { readConfig } from './config.ts';
import { startService } from './service.ts';

await runService({
  readConfig,
  start: startService,
  // SQLite checks a large file in one call.
  blocksAtStart: ({ databaseUrl }) => databaseUrl.startsWith('sqlite:'),
});
