// `make diff`, `make changelog` and the gate of `make check`, as processes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyProject, createToyProject, type ToyProject } from './support/toyProject.ts';

const RELEASED = 'test/released/1.0.0.yaml';
const BROKEN = 'broken.yaml';
const NEXT = 'next.yaml';
let project: ToyProject;
/** Of `required: [name]`. */
let line: number;

beforeAll(() => {
  project = createToyProject();
  const text = project.read(RELEASED);
  line = text.slice(0, text.indexOf('required: [name]')).split('\n').length;
  const changed = text
    .replace('required: [name]', 'required: [name, tag]')
    .replace('A store of toys', 'A shop of toys');
  project.write(BROKEN, changed);
  project.write(NEXT, changed.replace('version: 1.0.0', 'version: 2.0.0'));
});
afterAll(() => project.remove());

function run(command: string, ...args: string[]) {
  return project.run(command, ...args);
}

describe('make diff', () => {
  it('reports the effect and both locations of each change', () => {
    const { status, out } = run('diff', RELEASED, BROKEN);
    expect(out).toContain(`breaking    POST /toys  request body
            tag became required: Clients that send an object without tag are refused.
            ${RELEASED}:${line}:7 -> `);
    expect(out).toContain(`${BROKEN}:${line}:7\n`);
    expect(out).toMatch(/: 1 breaking, 0 risky, 2 compatible\n$/);
    expect(status).toBe(0);
  });

  it('compares openapi.yaml with the newest release', () => {
    const { status, out } = run('diff');
    expect(out).toMatch(/openapi\.yaml since test\/released\/[\d.]+\.yaml: \d+ breaking, /);
    expect(status).toBe(0);
  });

  it('accepts a git revision', () => {
    expect(run('diff', 'HEAD').out).toMatch(/openapi\.yaml since HEAD:openapi\.yaml: \d+ breaking/);
  });

  it('rejects a BASE that is neither a path nor a revision', () => {
    const { status, err } = run('diff', 'nowhere');
    expect(err).toBe('BASE: got nowhere, expected the path of a contract or a git revision\n');
    expect(status).toBe(1);
  });
});

describe('make check', () => {
  it('fails on a breaking change', () => {
    const { status, err } = run('diff', '--check', RELEASED, BROKEN);
    expect(err).toContain('tag became required');
    expect(err).not.toContain('compatible');
    expect(err).toMatch(
      /\n1 breaking change since 1\.0\.0: expected none, or info\.version 2\.0\.0\n$/,
    );
    expect(status).toBe(1);
  });

  it('passes when the major version of info.version increases', () => {
    expect(run('diff', '--check', RELEASED, NEXT)).toEqual({ status: 0, out: '', err: '' });
  });

  it('passes without a breaking change', () => {
    expect(run('diff', '--check', RELEASED, RELEASED)).toEqual({ status: 0, out: '', err: '' });
  });
});

describe('without a release', () => {
  const LINE = 'test/released/ holds no release of openapi.yaml, nothing to compare\n';

  it.each([
    ['an empty folder', ['test/released/.gitkeep']],
    ['no folder', []],
  ])('the commands that compare print one line and succeed: %s', (_, files) => {
    const empty = createEmptyProject(files);
    try {
      for (const args of [['diff'], ['diff', '--check'], ['changelog']]) {
        expect(empty.run(args[0]!, ...args.slice(1))).toEqual({ status: 0, out: LINE, err: '' });
      }
    } finally {
      empty.remove();
    }
  });

  it('the checks of a contract pass', () => {
    const empty = createEmptyProject([]);
    try {
      expect(empty.run('generate').status).toBe(0);
      for (const command of ['generate', 'lint', 'manifest', 'diff']) {
        const args = command === 'lint' ? [] : ['--check'];
        expect(empty.run(command, ...args)).toMatchObject({ status: 0, err: '' });
      }
    } finally {
      empty.remove();
    }
  });
});

describe('make changelog', () => {
  it('writes the difference between two contracts as Markdown', () => {
    expect(run('changelog', '1.0.0', NEXT).out).toBe(`# Toy store: 1.0.0 → 2.0.0

1 breaking, 0 risky, 3 compatible.

## Breaking changes

Clients must change before they use this version.

### \`POST /toys\`

- **request body**: tag became required. Clients that send an object without tag are refused.

## New and compatible

Clients need not change.

### The whole contract

- info.version "1.0.0" became "2.0.0". Clients that read the version get the new one.

### \`POST /toys, GET /toys/{id}\`

- **response 200**: tag became required. Clients no longer receive an object without tag.

## Documentation

- the whole contract: description
`);
  });

  it('writes unreleased changes', () => {
    expect(run('changelog').out).toMatch(/^# Toy store: [\d.]+ → (?:unreleased|[\d.]+)\n/);
  });
});
