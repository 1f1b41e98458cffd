// Starts the service.
import { runService } from 'stubwright/service';
import { readConfig } from './config.ts';
import { startService } from './service.ts';

await runService({
  readConfig,
  start: startService,
});
