// Creates plants in a store: `creates.ts URL PROCESS CONCURRENCY SECONDS` prints the creates per second.
import { openPlants } from '../contenders/ourStore.ts';

const WARM_UP_MS = 1_000;
/** Ids of one process. */
const IDS = 10n ** 12n;
const [url = '', at = '0', concurrency = '1', seconds = '1'] = process.argv.slice(2);
const plants = await openPlants(url);
let id = BigInt(at) * IDS;

async function createsIn(ms: number): Promise<number> {
  const end = performance.now() + ms;
  let created = 0;
  const lane = async () => {
    for (; performance.now() < end; created++) {
      await plants.create({ id: ++id, name: 'Monstera deliciosa', tag: 'tropical' });
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, lane));
  return created;
}

await createsIn(WARM_UP_MS);
const ms = Number(seconds) * 1000;
process.stdout.write(`${((await createsIn(ms)) * 1000) / ms}\n`);
await plants.close();
