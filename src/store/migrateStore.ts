// `make migrate-store FROM=… TO=…`: copies all plants to another database, and compares both. Resumable.
import { moveStore } from '@stubwright/store';
import { PLANT_STORE } from './schema.ts';

const [from = '', to = ''] = process.argv.slice(2);
process.exitCode = await moveStore({ from, to }, PLANT_STORE);
