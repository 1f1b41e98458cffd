// The process of the toy store: `node toyProcess.ts`.
import { readSettings, runService } from '@stubwright/service';
import { CONTRACT, toyService } from './toyService.ts';

await runService({
  ...toyService(),
  readSettings: (env) => readSettings({ CONTRACT, ...env }),
});
