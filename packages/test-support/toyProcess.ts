// The process of the toy store: `node toyProcess.ts`.
import { readSettings, runService } from '../service/src/index.ts';
import { CONTRACT, toyService } from './toyService.ts';

await runService({
  ...toyService(),
  readSettings: (env) => readSettings({ CONTRACT, ...env }),
});
