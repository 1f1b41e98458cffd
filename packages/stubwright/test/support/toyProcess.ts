// The process of the toy store: `node toyProcess.ts`.
import { readSettings, runService } from '../../src/service.ts';
import { CONTRACT, startToyService } from './toyService.ts';

await runService({
  readConfig: (env) => readSettings({ CONTRACT, ...env }),
  start: (settings, tokens, log) => startToyService(settings, tokens, log),
});
