// A local npm registry for the packages of this repository: `registry.mjs FOLDER UPLINK`. It forwards requests
// for other packages to the uplink, prints its URL, and ends with its parent. JavaScript, because its types are
// installed by `make test-adoption` only.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

const [folder, uplink] = process.argv.slice(2);
const OWN = { access: '$all', publish: '$all' };
mkdirSync(folder, { recursive: true });

const server = await runServer({
  self_path: join(folder, 'config.yaml'),
  storage: join(folder, 'storage'),
  uplinks: { npm: { url: uplink, maxage: '1h', timeout: '60s' } },
  packages: {
    stubwright: OWN,
    '@stubwright/*': OWN,
    '**': { access: '$all', proxy: 'npm' },
  },
  middlewares: { audit: { enabled: false } },
  web: { enable: false },
  max_body_size: '50mb',
  log: { type: 'stdout', format: 'json', level: 'fatal' },
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit());
