// Starts the service once and stops it, so that what a start caches is there: while an image is
// built. Its settings are those of this process, and so are Node's options.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const service = spawn(process.execPath, [...process.execArgv, 'src/main.ts'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(service, 'exit');
for await (const line of createInterface({ input: service.stdout })) {
  const url = /"url":"([^"]+)"/.exec(line)?.[1];
  if (url === undefined) continue;
  // Some parts are loaded by the first request.
  await fetch(`${url}/openapi.json`);
  service.kill('SIGTERM');
}
const [code] = await exited;
process.stdout.write(`started once, ended with ${code}\n`);
process.exitCode = code ?? 1;
