// The arguments of commands: files, standard input, patterns, releases, names; and output for a terminal.

import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runCommand, type Surroundings } from './support/command.ts';
import { createRepository } from './support/toyProject.ts';

const project = createRepository();
const contract = project.read('openapi.yaml');
const [before, after] = ['version: 1.0.0', 'version: 1.1.0'];
project.write('test/released/1.1.0.yaml', contract.replace(before, after));
project.write('apis/a.yaml', contract);
project.write('apis/b.yaml', contract.replace('type: string', 'type: strin'));
project.write('build/observed/empty.jsonl', '');
afterAll(() => project.remove());

const run = (args: readonly string[], surroundings: Surroundings = {}) =>
  runCommand(args, { cwd: project.path, ...surroundings });

/** Every argument and option that names a file to read; FILE is the name. */
const READERS = [
  ...['init FILE new', 'generate FILE', 'client FILE', 'release FILE', 'bundle FILE', 'mock FILE'],
  ...[
    'check FILE',
    'check openapi.yaml FILE',
    'mock --check FILE',
    'proxy FILE http://127.0.0.1:9',
  ],
  ...['diff FILE', 'diff 1.0.0 FILE', 'diff FILE openapi.yaml', 'diff --policy FILE'],
  ...['changelog FILE', 'changelog --from FILE', 'changelog --to FILE'],
  ...['replay --contract FILE', 'replay --situations FILE', 'coverage --contract FILE'],
  ...['serve-version 1.0.0 --contract FILE', 'release --error-scenarios FILE'],
  ...[
    'check --traffic FILE',
    'diff --traffic FILE',
    'check --overlay FILE',
    'check --errors ./FILE',
  ],
  'client --pagination FILE',
];

it.each(READERS)('%s reports a missing file in one sentence', async (reader) => {
  const args = reader.replace('FILE', 'none.yaml').split(' ');
  const path = args.find((argument) => argument.endsWith('none.yaml'));
  expect(await run(args)).toEqual({
    ...{ status: 2, out: '' },
    err: `stubwright: ${path}: there is no such file\n`,
  });
});

it.each(READERS.filter((reader) => !reader.includes('--')))(
  '%s reports a URL, and standard input where it is not read',
  async (reader) => {
    const named = (name: string) => reader.replace('FILE', name).split(' ');
    const { status, err } = await run(named('https://toys.test/openapi.yaml'));
    expect([status, err]).toEqual([2, expect.stringContaining('URLs are not read')]);
    if (!/^(?:init|generate|release)/.test(reader)) return;
    const dash = await run(named('-'), { input: contract });
    expect(dash).toMatchObject({ status: 2, err: expect.stringContaining('expected a file') });
  },
);

describe('standard input', () => {
  it.each([
    [['check', '-'], /^<stdin>: 2 operations, 0 errors/m],
    [['diff', '1.0.0', '-'], /^<stdin> since test\/released\/1.0.0.yaml: 0 breaking/m],
    [['diff', '-', 'openapi.yaml'], /^openapi.yaml since <stdin>: 0 breaking/m],
    [['diff', 'HEAD', '-'], /^<stdin> since HEAD:openapi.yaml: 0 breaking/m],
    [['bundle', '-'], /^openapi: /m],
    [['mock', '--check', '-'], /^<stdin>: 2 mocked operations\n/],
    [['client', '-', 'build/stdin'], /^build\/stdin: .*2 operations\n/],
  ])('%j reads it', async (args, expected) => {
    const { status, out, err } = await run(args, { input: contract });
    expect({ status, out, err }).toMatchObject({ status: 0, out: expect.stringMatching(expected) });
  });

  it('is read once', async () => {
    const { status, err } = await run(['diff', '-', '-'], { input: contract });
    expect([status, err]).toEqual([2, expect.stringContaining('-: got it twice')]);
    const closed = await run(['check', '-']);
    expect([closed.status, closed.err]).toEqual([2, expect.stringContaining('is not open')]);
  });

  it('has references that are relative to the working directory', async () => {
    const input = contract.replaceAll(
      '"#/components/schemas/',
      '"apis/a.yaml#/components/schemas/',
    );
    expect(input).toContain('apis/a.yaml');
    expect(await run(['check', '-'], { input })).toMatchObject({ status: 0 });
  });
});

describe('several contracts', () => {
  it('are checked one after the other, with a summary', async () => {
    const { status, out } = await run(['check', 'apis/*.yaml', 'openapi.yaml']);
    expect(status).toBe(1);
    expect(out.match(/^(?:apis\/[ab]|openapi)\.yaml: .*/gm)).toHaveLength(3);
    expect(out).toMatch(/^3 contracts: 1 error, \d+ warnings\n$/m);
    const json = await run(['check', 'apis/*.yaml', '--json']);
    expect(JSON.parse(json.out)).toMatchObject([
      { contract: 'apis/a.yaml', operations: 2 },
      { contract: 'apis/b.yaml', operations: null },
    ]);
  });

  it('are tried as mocks', async () => {
    const { status, out, err } = await run(['mock', '--check', 'apis/*.yaml']);
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/^apis\/a\.yaml: 2 mocked operations\n/),
    ]);
    expect(err).toContain('apis/b.yaml:');
  });

  it('are files: folders, and those of node_modules do not match', async () => {
    project.write('glob/a.yaml', contract);
    project.write('glob/b/c.yaml', contract);
    project.write('glob/node_modules/d/e.yaml', contract);
    const { status, out } = await run(['check', 'glob/**', '--json']);
    const contracts = JSON.parse(out).map((each: { contract: string }) => each.contract);
    expect([status, contracts]).toEqual([0, ['glob/a.yaml', 'glob/b/c.yaml']]);
    expect(await run(['check', 'glo?'])).toMatchObject({
      ...{ status: 2, err: 'stubwright: glo?: no file matches\n' },
    });
  });
});

it('compares two releases', async () => {
  const { status, out } = await run(['diff', '1.0.0', '1.1.0']);
  expect([status, out]).toEqual([
    0,
    expect.stringMatching(/^test\/released\/1\.1\.0\.yaml since test\/released\/1\.0\.0\.yaml: /m),
  ]);
  expect((await run(['diff', '1.1.0', '1.0.0', '--json'])).out).toContain('"changes"');
  expect((await run(['diff', 'HEAD', '1.1.0'])).out).toMatch(
    /1\.1\.0\.yaml since HEAD:openapi\.yaml: /,
  );
});

it.each([
  ...['', 'Toys', 'a b', '@me', '@me/', '../toys', '.toys', 'a@1', 'a/b', 'ä', 'a'.repeat(215)],
])('client --name refuses %j, which npm does not accept', async (name) => {
  const { status, err } = await run(['client', 'openapi.yaml', 'build/named', '--name', name]);
  expect([status, err]).toEqual([2, expect.stringMatching(/^stubwright: --name: got .*expected/)]);
});

it('prints the version with -v, and errors only with --quiet', async () => {
  expect((await run(['-v'])).out).toBe((await run(['--version'])).out);
  for (const args of [['check'], ['diff'], ['generate'], ['client', 'openapi.yaml', 'build/q']]) {
    expect(await run([...args, '--quiet'])).toEqual({ status: 0, out: '', err: '' });
  }
  const { out } = await run(['check', 'apis/b.yaml', '-q']);
  expect(out).toMatch(/^apis\/b\.yaml:\d+:\d+ {2}type is strin .*\n$/);
});

/** An operation without description for each path. */
function withManyWarnings(count: number): string {
  const paths = Array.from({ length: count }, (_, at) => {
    return `  /toys/${at}:\n    get: {operationId: get${at}, x-unknown: 1, what: 1, responses: {'200': {description: x}}}`;
  });
  return `openapi: 3.0.3\ninfo: {title: t, version: 1.0.0}\npaths:\n${paths.join('\n')}\n`;
}

describe('the findings of one rule', () => {
  it.each([10, 11, 40])('are listed up to ten, and counted beyond: %i', async (count) => {
    project.write('many.yaml', withManyWarnings(count));
    const lines = (text: string) => text.match(/^many\.yaml:\d+:.*\(struct\)$/gm)?.length;
    const { out } = await run(['check', 'many.yaml']);
    expect(lines(out)).toBe(count > 10 ? 3 : count);
    expect(out.includes(`and ${count - 3} more warnings of struct`)).toBe(count > 10);
    expect(lines((await run(['check', 'many.yaml', '--all'])).out)).toBe(count);
    const json = JSON.parse((await run(['check', 'many.yaml', '--json'])).out);
    expect(json.findings.filter(({ rule }: { rule: string }) => rule === 'struct')).toHaveLength(
      count,
    );
  });
});

const ESCAPE = '\u001b[';

describe('colours', () => {
  it.each<[string, boolean, Record<string, string>, string[], boolean]>([
    ['a terminal', true, { NO_COLOR: '' }, [], true],
    ['another stream', false, { NO_COLOR: '' }, [], false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, [], false],
    ['NO_COLOR with FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, [], false],
    ['FORCE_COLOR', false, { NO_COLOR: '', FORCE_COLOR: '1' }, [], true],
    ['FORCE_COLOR=false', true, { NO_COLOR: '', FORCE_COLOR: 'false' }, [], false],
    ['FORCE_COLOR=0', true, { NO_COLOR: '', FORCE_COLOR: '0' }, [], false],
    ['a dumb terminal', true, { NO_COLOR: '', TERM: 'dumb' }, [], false],
    ['--no-color', true, { NO_COLOR: '', FORCE_COLOR: '1' }, ['--no-color'], false],
  ])('of %s', async (_, isTerminal, env, options, isColored) => {
    for (const args of [['check', 'apis/b.yaml'], ['diff', '1.0.0'], ['--help']]) {
      const { out } = await run([...args, ...options], { isTerminal, env });
      // A comparison without changes has no severity.
      if (args[0] !== 'diff') expect(out.includes(ESCAPE)).toBe(isColored);
      const plain = await run(args, { env: { NO_COLOR: '1' }, isTerminal });
      expect(stripVTControlCharacters(out)).toBe(plain.out);
    }
  });

  it('mark the severity of a change', async () => {
    project.write('breaking.yaml', contract.replace('required: [name]', 'required: [name, tag]'));
    const env = { NO_COLOR: '', FORCE_COLOR: '1' };
    const { out } = await run(['diff', 'openapi.yaml', 'breaking.yaml'], { env });
    expect(out).toContain(`${ESCAPE}31mbreaking`);
  });

  it('cannot come from a contract', async () => {
    project.write('evil.yaml', contract.replace('type: string', 'type: "\\e[31mred"'));
    const env = { NO_COLOR: '', FORCE_COLOR: '1' };
    const { out } = await run(['check', 'evil.yaml'], { env });
    expect(out).toContain('\\u001b[31mred');
  });
});

describe('the first check on a terminal', () => {
  it('ends with advice; in a project it does not', async () => {
    const isTerminal = true;
    const outside = await run(['check', 'a.yaml'], { cwd: `${project.path}/apis`, isTerminal });
    expect(outside.out).toContain('stubwright mock a.yaml');
    expect((await run(['check', 'apis/a.yaml'], { isTerminal })).out).not.toContain('Next');
    const piped = await run(['check', 'a.yaml'], { cwd: `${project.path}/apis` });
    expect(piped.out).not.toContain('Next');
  });
});
