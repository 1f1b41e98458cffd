// Runs commands one after another, and writes their results as JSON. ACCESS_LOG receives the index of each.
import { appendFileSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { run } from '../../src/run.ts';
import type { Run } from './command.ts';

export interface Job {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What a command prints once it listens. */
const READY = /^(?:mock|proxy|serving) {1,2}http/m;

const jobs: readonly Job[] = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const results: Run[] = [];
for (const [at, job] of jobs.entries()) {
  appendFileSync(process.env['ACCESS_LOG']!, `job\t${at}\n`);
  results.push(await resultOf(job));
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));

async function resultOf({ args, cwd }: Job): Promise<Run> {
  // `dev` imports the sources of a project in its process.
  process.chdir(cwd);
  const listening = Promise.withResolvers<void>();
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    new Writable({
      write(chunk, _, done) {
        texts[name] += chunk;
        if (READY.test(texts[name])) listening.resolve();
        done();
      },
    });
  const status = await run(args, {
    ...{ cwd, stdout: stream('out'), stderr: stream('err') },
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn' },
    untilSignal: () => listening.promise,
  });
  return { status, ...texts };
}
