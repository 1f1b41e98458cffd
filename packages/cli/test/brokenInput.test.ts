// Every command on input that it cannot use: one line on stderr, exit code 2, no new file.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { MAIN, type Run, runCommand } from './support/command.ts';
import { CONTRACT } from './support/toyProject.ts';

const ERRORS = isTestAll ? 500 : 50;

/** How each command names a contract. */
const COMMANDS: Readonly<Record<string, (contract: string) => string[]>> = {
  init: (contract) => ['init', contract, 'out', '--no-install'],
  generate: (contract) => ['generate', contract],
  check: (contract) => ['check', contract],
  'diff, the contract': (contract) => ['diff', 'old.yaml', contract],
  'diff, BASE': (contract) => ['diff', contract],
  changelog: (contract) => ['changelog', contract, '--from', 'old.yaml'],
  release: (contract) => ['release', contract],
  mock: (contract) => ['mock', contract, '--port', '0'],
  proxy: (contract) => ['proxy', contract, 'http://127.0.0.1:9', '--port', '0'],
  bundle: (contract) => ['bundle', contract, '--output', 'out.yaml'],
};

/** Contracts that no command can use, and the line that names them. */
const CONTRACTS: Readonly<Record<string, RegExp>> = {
  folder: /^stubwright: folder: it is a folder, expected a file$/,
  'broken.yaml': /^stubwright: broken\.yaml:3:1 {2}.* expected YAML$/,
  'errors.yaml': new RegExp(
    `^stubwright: errors\\.yaml:1:\\d+ {2}type is strin {2}expected .*\\(and ${ERRORS - 1} more: stubwright check lists all\\)$`,
  ),
};

const folder = temporaryFolder();
const template = join(folder.path, 'template');
mkdirSync(join(template, 'folder'), { recursive: true });
const write = (path: string, text: string) => writeFileSync(join(template, path), text);
cpSync(CONTRACT, join(template, 'openapi.yaml'));
cpSync(CONTRACT, join(template, 'old.yaml'));
write('broken.yaml', 'openapi: 3.1.0\ninfo: {title: x\npaths: [\n');
write('errors.yaml', JSON.stringify(contractWithErrors()));
const mounted: string[] = [];
afterAll(() => {
  for (const path of mounted) spawnSync('umount', [path]);
  folder.remove();
});

function contractWithErrors(): object {
  const content = { 'application/json': { schema: { type: 'strin' } } };
  const responses = { 200: { description: 'x', content } };
  const paths = Array.from({ length: ERRORS }, (_, at) => [
    `/p${at}`,
    { get: { operationId: `o${at}`, responses } },
  ]);
  const info = { title: 't', version: '1.0.0' };
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths) };
}

let projects = 0;
function newProject(): string {
  const path = join(folder.path, `project${projects++}`);
  cpSync(template, path, { recursive: true });
  return path;
}

/** @returns contents by path; '' for a folder */
function snapshot(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = join(path, name);
      return [name, lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''];
    }),
  );
}

const stubwright = (cwd: string, args: readonly string[]): Promise<Run> =>
  runCommand(args, { cwd });

/** Expects one line, which matches, exit code 2 and no change in the folder. */
async function expectRefusal(cwd: string, args: readonly string[], line: RegExp): Promise<void> {
  const before = snapshot(cwd);
  const { status, out, err } = await stubwright(cwd, args);
  expect({ args, status, out, lines: err.split('\n').length }).toEqual({
    args,
    status: 2,
    out: '',
    lines: 2,
  });
  expect(err.trimEnd()).toMatch(/^stubwright: /);
  expect(err.trimEnd()).toMatch(line);
  expect(err).not.toMatch(/^ +at |node:internal/m);
  expect(snapshot(cwd)).toEqual(before);
}

jest.setTimeout(600_000);

describe('a contract that cannot be used', () => {
  it.each(Object.entries(CONTRACTS))(
    '%s is one line and exit code 2 of every command',
    async (contract, line) => {
      const commands = Object.entries(COMMANDS).filter(
        // Errors in a contract are the findings of check.
        ([name]) => name !== 'check' || !/^(?:broken|errors)/.test(contract),
      );
      for (const [, argsFor] of commands) {
        await expectRefusal(newProject(), argsFor(contract), line);
      }
    },
  );

  it('is reported by check with every error on stdout and exit code 1', async () => {
    const cwd = newProject();
    const before = snapshot(cwd);
    const broken = await stubwright(cwd, ['check', 'broken.yaml']);
    const errors = await stubwright(cwd, ['check', 'errors.yaml', '--all']);
    expect(broken).toMatchObject({ status: 1, err: '' });
    expect(broken.out).toMatch(/^broken\.yaml:3:1 {2}.*expected YAML.*\nbroken\.yaml: 1 error,/);
    expect(errors).toMatchObject({ status: 1, err: '' });
    expect(errors.out.match(/^errors\.yaml:1:\d+ {2}type is strin /gm)).toHaveLength(ERRORS);
    expect(errors.out).toContain(`\nerrors.yaml: ${ERRORS} errors, 0 warnings\n`);
    expect(snapshot(cwd)).toEqual(before);
  });

  it('ends dev, which needs a project', async () => {
    await expectRefusal(newProject(), ['dev'], /src\/service\.ts: got no file, expected a project/);
  });
});

const NO_REVISION =
  /got nothing:here, expected a release .*, in a git repository a revision or REVISION:path$/;
const NO_URL = /URL: got "(?:x|localhost:3000)", expected an http or https URL/;

describe('arguments', () => {
  // numericFlags.test.ts has the numbers, inputs.test.ts the files.
  const cases: [args: string, line: RegExp][] = [
    ['init openapi.yaml old.yaml --no-install', /old\.yaml\/openapi\.yaml: got an existing file, /],
    ['chek', /unknown command 'chek' \(Did you mean check\?\)$/],
    ['diff nothing:here', NO_REVISION],
    ['diff ', /BASE: got .*expected a release/],
    ['diff --output=x', /unknown option '--output=x'$/],
    ['diff --fail-on low', /'low' is invalid\. .* are breaking, risky, used, none\.$/],
    [
      'diff old.yaml openapi.yaml --fail-on used',
      /--fail-on: got used, expected --traffic as well$/,
    ],
    ['diff --suggest-version --all', /'--suggest-version' cannot be used with option '--all'$/],
    ['changelog --from nothing:here', NO_REVISION],
    ['changelog --from old.yaml --to nothing:here', NO_REVISION],
    ['bundle openapi.yaml old.yaml', /too many arguments .*Expected 1 argument but got 2/],
    ['bundle --output folder', /folder: got EISDIR, expected a file to write to$/],
    ['bundle --output old.yaml/x', /old\.yaml\/x: got ENOTDIR, expected a file/],
    ['check --errors none', /--errors: got none, expected problem, numbered/],
    ['check none/*.yaml', /none\/\*\.yaml: no file matches$/],
    ['mock --host 192.0.2.1', /--host: got "192\.0\.2\.1".*expected an address of this/],
    ['mock --delay 5-1', /--delay: got "1", expected an integer from 5 to 600000$/],
    ['mock --delay 1s', /--delay: got "1s", expected an integer from 0 to 600000$/],
    ['mock --error-rate 2', /--error-rate: got "2", expected a number from 0 to 1$/],
    ['mock openapi.yaml old.yaml', /got 2 contracts, expected one without --check$/],
    ['proxy openapi.yaml', /missing required argument 'url'$/],
    ['proxy openapi.yaml x', NO_URL],
    ['proxy openapi.yaml localhost:3000', NO_URL],
    ['proxy openapi.yaml http://me:secret@a', /URL: got "http:\/\/\*\*\*@a", expected an http/],
    ['proxy openapi.yaml http://a --caller X-App', /--caller: expected --record as well$/],
    [
      'proxy openapi.yaml http://a --record a.jsonl --hash-callers',
      /--hash-callers: expected a key in RECORD_HASH_KEY$/,
    ],
    ['proxy openapi.yaml http://a --record none/a.jsonl', /--record: got /],
    ['proxy openapi.yaml http://a --format xml', /argument 'xml' is invalid/],
    ['replay --header secret', /--header: expected 'Name: value'$/],
    ['replay localhost:3000', NO_URL],
    ['replay --release 2.0.0', /expected a release in test\/released\/ \(none yet\)$/],
  ];
  it.each(cases)('are refused: %s', (args, line) =>
    expectRefusal(newProject(), args.split(' '), line),
  );

  it('are refused by every command that has no such option', async () => {
    const names = [...new Set(Object.values(COMMANDS).map((argsFor) => argsFor('')[0]!)), 'dev'];
    for (const name of names) {
      await expectRefusal(newProject(), [name, '--nothing'], /unknown option '--nothing'$/);
    }
  });
});

/** Arguments of each command that writes files, and the files that belong to the project: they are edited or kept. */
const WRITING: Readonly<Record<string, readonly [args: string[], ofProject?: RegExp]>> = {
  init: [['init', 'openapi.yaml', 'out', '--no-install']],
  generate: [['generate']],
  client: [['client', 'openapi.yaml', 'out', '--msw', '--query', 'tanstack']],
  release: [['release'], /released\/1\.0\.0\.yaml$/],
  bundle: [['bundle', '--output', 'out.json']],
  'serve-version': [['serve-version', '1.0.0'], /^compatibility\.yaml$|^src\/versions\//],
};
/** Nothing, or what is recorded while they run. */
const READING = ['check', 'diff', 'changelog', 'replay', 'coverage', 'dev', 'mock', 'proxy', 'lsp'];
const MINE = '{"name":"mine"}\n';

describe('a file that a command has not written', () => {
  const filesIn = (cwd: string) =>
    Object.entries(snapshot(cwd)).flatMap(([file, text]) => (text === '' ? [] : [file]));

  function projectFor(name: string): string {
    const cwd = newProject();
    if (name === 'serve-version') {
      mkdirSync(join(cwd, 'test/released'), { recursive: true });
      cpSync(join(cwd, 'openapi.yaml'), join(cwd, 'test/released/1.0.0.yaml'));
    }
    return cwd;
  }

  it('is a case for every command', async () => {
    const { out } = await stubwright(newProject(), ['--help']);
    const names = [...out.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)].map(([, name]) => name!);
    const known = [...Object.keys(WRITING), ...READING];
    expect(names.filter((name) => name !== 'help').sort()).toEqual(known.sort());
  });

  it.each(Object.entries(WRITING))(
    'is not overwritten by %s without --force',
    async (name, [args, ofProject]) => {
      const whole = projectFor(name);
      const before = filesIn(whole);
      expect(await stubwright(whole, args)).toMatchObject({ status: 0 });
      const written = filesIn(whole).filter((each) => !before.includes(each));
      expect(written).not.toEqual([]);
      const foreign = written.filter((each) => !ofProject?.test(each));
      // Each file costs two runs.
      for (const file of isTestAll ? foreign : [foreign.at(0)!, foreign.at(-1)!]) {
        const cwd = projectFor(name);
        mkdirSync(join(cwd, dirname(file)), { recursive: true });
        writeFileSync(join(cwd, file), MINE);
        const files = filesIn(cwd);
        const { status, err } = await stubwright(cwd, args);
        expect([file, status, err.split('\n')[0]]).toEqual([
          ...[
            file,
            2,
            expect.stringMatching(/: got an? .*file.*, expected none: --force overwrites it$/),
          ],
        ]);
        expect(err).toContain(file);
        expect(filesIn(cwd)).toEqual(files);
        expect(readFileSync(join(cwd, file), 'utf8')).toBe(MINE);
        const forced = await stubwright(cwd, [...args, '--force']);
        expect([file, forced.status]).toEqual([file, 0]);
        expect(filesIn(cwd)).toEqual(filesIn(whole));
        expect(readFileSync(join(cwd, file), 'utf8')).not.toBe(MINE);
      }
    },
  );

  it.each(['generate', 'client', 'bundle'])('is none of those that %s wrote', async (name) => {
    const cwd = newProject();
    const [args] = WRITING[name]!;
    expect(await stubwright(cwd, args)).toMatchObject({ status: 0 });
    if (name !== 'bundle') {
      const contract = readFileSync(join(cwd, 'openapi.yaml'), 'utf8');
      writeFileSync(join(cwd, 'openapi.yaml'), contract.replace('title: ', 'title: Other '));
    }
    expect(await stubwright(cwd, args)).toMatchObject({ status: 0, err: '' });
  });
});

describe('an existing project', () => {
  it('keeps its files if a folder has the name of a generated file', async () => {
    const cwd = newProject();
    mkdirSync(join(cwd, 'generated/contract.json'), { recursive: true });
    writeFileSync(join(cwd, 'generated/contract.ts'), '');
    await expectRefusal(cwd, ['generate'], /contract\.json: got EISDIR, expected a file to write/);
  });

  it('keeps a symbolic link that is written through', async () => {
    const cwd = newProject();
    symlinkSync('old.yaml', join(cwd, 'link.yaml'));
    const args = ['bundle', '--output', 'link.yaml', 'openapi.yaml', '--force'];
    expect(await stubwright(cwd, args)).toMatchObject({ status: 0, err: '' });
    expect(lstatSync(join(cwd, 'link.yaml')).isSymbolicLink()).toBe(true);
  });
});

/** Commands that write, and the name of what they write. */
const WRITERS: readonly [name: string, line: RegExp][] = [
  ['init', /out\/[\w./-]+: got (\w+), expected a file to write to$/],
  ['generate', /generated\/contract\.\w+: got (\w+), expected a file to write to$/],
  ['release', /test\/released\/1\.0\.0\.[\w.]+: got (\w+), expected a file to write to$/],
  ['bundle', /out\.yaml: got (\w+), expected a file to write to$/],
];

/** @returns a mounted folder; undefined if this process may not mount */
function mount(options: string, files: readonly string[]): string | undefined {
  const path = join(folder.path, `mount${mounted.length}`);
  mkdirSync(path);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', path]);
  if (status !== 0) return undefined;
  mounted.push(path);
  for (const file of files) cpSync(join(template, file), join(path, file));
  return path;
}

function skipped(what: string): void {
  process.stderr.write(`${what}: skipped, this process may not mount a file system\n`);
}

describe('a folder that cannot be written to', () => {
  it('is refused by each command that writes, if it is read-only', async () => {
    const isRoot = process.getuid?.() === 0;
    const cwd = isRoot ? mount('size=1m', ['openapi.yaml']) : newProject();
    if (cwd === undefined) return skipped('a read-only folder');
    if (isRoot) spawnSync('mount', ['-o', 'remount,ro', cwd]);
    else chmodSync(cwd, 0o500);
    try {
      for (const [name, line] of WRITERS) {
        await expectRefusal(cwd, COMMANDS[name]!('openapi.yaml'), line);
      }
    } finally {
      if (!isRoot) chmodSync(cwd, 0o700);
    }
  });

  it('keeps nothing of what was written before the disk is full', async () => {
    for (const [name, line] of WRITERS) {
      // The contract takes three pages of 4 KiB. Room for a copy of it, and for no second file.
      const cwd = mount(name === 'bundle' ? 'size=16k' : 'size=24k', ['openapi.yaml']);
      if (cwd === undefined) return skipped('a full disk');
      await expectRefusal(cwd, COMMANDS[name]!('openapi.yaml'), line);
      const { err } = await stubwright(cwd, COMMANDS[name]!('openapi.yaml'));
      expect([name, line.exec(err.trimEnd())?.[1]]).toEqual([name, 'ENOSPC']);
    }
  });
});

const env = () => ({ ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' });

describe('standard output', () => {
  const shell = (cwd: string, command: string) => {
    const script = `stubwright() { "$NODE" "$MAIN" "$@"; }; ${command}`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd,
      encoding: 'utf8',
      env: { ...env(), NODE: process.execPath, MAIN },
    });
    return { out: stdout, err: stderr };
  };

  inTestAll(it)('may close early, without an error or another exit code', () => {
    const command =
      'stubwright check errors.yaml | head -n 1; echo $PIPESTATUS; ' +
      'stubwright diff --help | (exec 0<&-; sleep 2); echo $PIPESTATUS';
    const { out, err } = shell(newProject(), command);
    expect(err).toBe('');
    expect(out).toMatch(/^errors\.yaml:1:\d+ {2}.*\n1\n0\n$/);
  });

  const withFull = existsSync('/dev/full') ? it : it.skip;
  withFull('on a full disk is one line and exit code 2', () => {
    const { out, err } = shell(newProject(), 'stubwright check >/dev/full; echo $?');
    expect(out).toBe('2\n');
    expect(err).toBe('stubwright: standard output: got ENOSPC, expected room to write\n');
  });

  withFull('may be a device that --output names, which stays one', async () => {
    const args = ['bundle', '--output', '/dev/full'];
    await expectRefusal(
      newProject(),
      args,
      /\/dev\/full: got ENOSPC, expected a file to write to$/,
    );
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});

// init.test.ts has the errors of replaceFiles, which undoes its work.
inTestAll(describe)('SIGINT', () => {
  it('ends init at any time with all of its files or none', async () => {
    const cwd = newProject();
    const paths = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `/p${at}`,
        { get: { operationId: `o${at}`, responses: { 204: { description: 'x' } } } },
      ]),
    );
    const info = { title: 't', version: '1.0.0' };
    writeFileSync(join(cwd, 'many.json'), JSON.stringify({ openapi: '3.1.0', info, paths }));
    const before = snapshot(cwd);
    const run = async (after: string | undefined) => {
      const child = spawn(process.execPath, [MAIN, ...COMMANDS['init']!('many.json')], {
        cwd,
        env: env(),
      });
      const closed = once(child, 'close');
      const timer = setInterval(() => {
        const isThere = after === undefined || existsSync(join(cwd, 'out'));
        if (isThere) child.kill('SIGINT');
        if (isThere) clearInterval(timer);
      }, 5);
      const [status, signal] = await closed;
      clearInterval(timer);
      return { status, signal };
    };
    // While it starts: the signal ends it.
    expect(await run(undefined)).toEqual({ status: null, signal: 'SIGINT' });
    expect(snapshot(cwd)).toEqual(before);
    // While it writes: the files are complete.
    await run('out');
    const written = Object.keys(snapshot(join(cwd, 'out')));
    expect(written.filter((path) => /^src\/handlers\/o\d+\.ts$/.test(path))).toHaveLength(400);
    expect(written.filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });
});
