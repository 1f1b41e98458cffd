// What `release`, `diff` and `mock` show on a terminal while they work.

import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Progress } from '../src/output/terminal.ts';
import { run } from '../src/run.ts';
import { createFolder, type ToyProject } from './support/toyProject.ts';

/** Standard error, with the text that a terminal shows at last. */
class Terminal extends Writable {
  written = '';
  readonly isTTY: boolean;
  readonly columns = 60;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk;
    done();
  }

  get shown(): string {
    const lines = this.written.split('\n').map((line) => line.split('\r\u001b[K').at(-1));
    return lines.join('\n');
  }
}

let folder: ToyProject;
beforeEach(() => {
  folder = createFolder();
  for (const [name, type] of [
    ['openapi.yaml', 'string'],
    ['before.yaml', 'integer'],
  ] as const) {
    folder.write(
      name,
      `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: getToys
      responses: {200: {description: ok, content: {application/json: {schema: {type: ${type}}}}}}
`,
    );
  }
});
afterEach(() => folder.remove());

async function outputOf(args: readonly string[], isTTY: boolean): Promise<Terminal> {
  const [stdout, stderr] = [new Terminal(false), new Terminal(isTTY)];
  const untilSignal = () => Promise.resolve();
  const env = { LOG_LEVEL: 'silent' };
  await run(args, { cwd: folder.path, stdout, stderr, env, untilSignal });
  expect(stdout.written).not.toContain('\u001b');
  return stderr;
}

describe.each([
  ['diff', ['diff', 'before.yaml', 'openapi.yaml'], ['checking before.yaml…', '0/1…']],
  ['release', ['release', '--no-client'], ['checking openapi.yaml…', 'generating requests…']],
  ['mock', ['mock', '--port', '0'], ['checking openapi.yaml…']],
])('%s', (_, args, steps) => {
  it('shows its steps on a terminal, and erases them', async () => {
    const { written, shown } = await outputOf(args, true);
    for (const step of steps) expect(written).toContain(step);
    expect(shown).not.toContain('…');
  });

  it('writes no step elsewhere', async () => {
    const { written } = await outputOf(args, false);
    expect(written).not.toMatch(/\u001b|…/);
  });
});

it('a line has at most the width of the terminal, and no control characters', () => {
  const terminal = new Terminal(true);
  const progress = new Progress(terminal);
  progress.show(`checking \u001b[31m${'a'.repeat(200)}`);
  expect(terminal.written.split('\r\u001b[K')[1]).toHaveLength(59);
  expect(terminal.written.slice(4)).not.toContain('\u001b');
  progress.clear();
  progress.clear();
  expect(terminal.written.split('\r\u001b[K')).toHaveLength(3);
});

it('a count is updated at most ten times a second', () => {
  const terminal = new Terminal(true);
  const count = new Progress(terminal).counting('operation')!;
  for (let at = 0; at < 1000; at++) count(at, 1000);
  expect(terminal.written).toContain('operation 0/1000…');
  expect(terminal.written.split('operation').length).toBeLessThan(100);
  expect(new Progress(new Terminal(false)).counting('operation')).toBeUndefined();
});
