import { readSettings, runService } from 'stubwright/service';
import { start } from './service.ts';

await runService({ readConfig: readSettings, start });
