// The reports of `stubwright dev`, and the saves that it follows.

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { changedOperations, linesOf, lintLines, missingHandlers } from '../src/dev/saveChecks.ts';
import { SourceError, sourceErrorOf } from '../src/dev/session.ts';
import { type Watch, watchSaves } from '../src/dev/watch.ts';
import { loadContractFiles } from '../src/loading/load.ts';
import { CONTRACT, createFolder } from './support/toyProject.ts';

describe('a list', () => {
  it('has 8 lines at most, and a count of the others', () => {
    const lines = linesOf(
      'types',
      Array.from({ length: 11 }, (_, at) => `error ${at}`),
    );
    expect(lines).toHaveLength(9);
    expect(lines[0]).toBe('  types      error 0');
    expect(lines[8]).toBe('  types      and 3 more');
  });

  it('of findings does not repeat those of the last save', () => {
    const [one, two] = ['openapi.yaml:1:1  a', 'openapi.yaml:2:1  b'];
    expect(lintLines(new Set([one]), new Set())).toEqual([`  lint       ${one}`]);
    expect(lintLines(new Set([one, two]), new Set([one]))).toEqual([
      `  lint       ${two}`,
      '  lint       1 finding is unchanged',
    ]);
    expect(lintLines(new Set(), new Set([one]))).toEqual([]);
  });

  it('of operations without handler says what writes them', async () => {
    using folder = createFolder();
    const contract = await loadContractFiles(CONTRACT);
    const [first, second] = contract.definition.operations.map((each) => each.operationId);
    const lines = () => missingHandlers(contract, new Set(), folder.path);
    folder.write(`src/handlers/${second}.ts`, `export { mocked as ${second} } from "stubwright";`);
    expect(lines()).toEqual([
      `  missing    src/handlers/${first}.ts, mocked; stubwright generate writes it`,
      `  mocked     src/handlers/${second}.ts`,
    ]);
    folder.write(`src/handlers/${first}.ts`, 'export async function handle() {}');
    expect(lines()[0]).toBe(`  missing    ${first} in src/handlers/index.ts, mocked`);
  });

  it('of changes names the contract before', async () => {
    const before = await loadContractFiles(CONTRACT);
    const after = await loadContractFiles(CONTRACT);
    after.definition.document['paths']['/toys'].post.operationId = 'addToy';
    expect(changedOperations(before, after, new Set())).toEqual([
      '  changed    POST /toys  1 breaking, 0 risky, 0 compatible (since the last save)',
    ]);
  });
});

describe('watchSaves', () => {
  let folder: TemporaryFolder;
  let watch: Watch;
  let saved: string[];
  const write = (file: string) => writeFileSync(join(folder.path, file), `${Math.random()}`);

  beforeEach(async () => {
    folder = temporaryFolder();
    mkdirSync(join(folder.path, 'src'));
    saved = [];
    watch = await watchSaves('openapi.yaml', {
      cwd: folder.path,
      onContract: (file) => saved.push(file),
      onSource: () => saved.push('src'),
    });
  });
  afterEach(async () => {
    await watch.close();
    folder.remove();
  });

  async function untilSaved(...files: string[]): Promise<void> {
    while (saved.length < files.length) await new Promise((next) => setTimeout(next, 5));
    expect(saved).toEqual(files);
    saved.length = 0;
  }

  it('reports the files of the contract, and not those of other tools', async () => {
    watch.follow([join(folder.path, 'openapi.yaml'), join(folder.path, 'schemas.yaml')], true);
    for (const file of ['biome.json', 'compose.yaml', 'package.json']) write(file);
    // Events have an order: the one of the contract is the last.
    await new Promise((next) => setTimeout(next, 100));
    write('schemas.yaml');
    await untilSaved('schemas.yaml');
    const rules = ['redocly.yaml', '.redocly.lint-ignore.yaml', 'compatibility.yaml'];
    for (const file of [...rules, 'stubwright.yaml']) {
      write(file);
      await untilSaved(file);
    }
  });

  it('reports any YAML file while the contract has errors', async () => {
    watch.follow(['openapi.yaml'], false);
    write('biome.json');
    await new Promise((next) => setTimeout(next, 100));
    write('missing.yaml');
    await untilSaved('missing.yaml');
  });

  it('reports a file that an editor empties before it writes it once it is written', async () => {
    const path = join(folder.path, 'openapi.yaml');
    const sizes: number[] = [];
    await watch.close();
    watch = await watchSaves('openapi.yaml', {
      cwd: folder.path,
      onContract: () => sizes.push(statSync(path).size),
    });
    writeFileSync(path, '');
    await new Promise((next) => setTimeout(next, 200));
    writeFileSync(path, 'openapi: 3.2.0');
    while (sizes.length === 0) await new Promise((next) => setTimeout(next, 5));
    writeFileSync(path, '');
    while (sizes.length === 1) await new Promise((next) => setTimeout(next, 5));
    expect(sizes).toEqual([14, 0]);
  });
});

describe('an error of the sources', () => {
  const folder = createFolder();
  const cwd = folder.path;
  folder.write(
    'src/handlers/index.ts',
    'import { nothing } from "./nothing.ts";\n  export { a } from "./$a.ts"; // ./$a.ts\nconst $a.tsx = 1;\nimport "../nothing.ts";\n',
  );
  afterAll(() => folder.remove());
  const withStack = (message: string, stack: string) =>
    Object.assign(new Error(message), { stack });
  const url = (path: string) => `file://${join(cwd, path)}`;
  const expected = 'expected sources that Node can import';

  it.each([
    ['at the last import of it', './$a.ts', 'src/handlers/index.ts', ':2:22'],
    ['not at that of another folder', './nothing.ts', 'src/handlers/index.ts', ':1:26'],
    ['in the file if no line names it', 'other', 'src/handlers/index.ts', ''],
    ['in a file that is gone', 'other', 'src/none.ts', ''],
  ])('of an import that fails is located %s', (_, specifier, file, position) => {
    const cause = Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    const error = sourceErrorOf(cause, cwd, { specifier, importer: `${url(file)}?version=7` });
    const what = `import of ${specifier} cannot be resolved (ERR_MODULE_NOT_FOUND)`;
    expect(error.message).toBe(`${file}${position}  ${what}  ${expected}`);
    expect(error.isLocated).toBe(true);
  });

  it.each<[what: string, cause: unknown, text: string, isLocated: boolean]>([
    [
      'of the syntax is located at the caret',
      withStack(
        'Unexpected token\nin TypeScript',
        `${url('src/a.ts')}:3\n  const = 1;\n        ^\n`,
      ),
      'src/a.ts:3:9  Unexpected token',
      true,
    ],
    [
      'of the execution is located at the first frame of the project',
      withStack(
        'a failed',
        `Error: a failed
    at file:///elsewhere/a.ts:1:2
    at ${url('node_modules/a/index.js')}:3:4
    at run (${url('src/a.ts')}?version=7:5:6)
    at ${url('src/b.ts')}:7:8`,
      ),
      'src/a.ts:5:6  a failed',
      true,
    ],
    [
      'is located at the start of a line without a column',
      withStack('a failed', `${url('src/a.ts')}:3`),
      'src/a.ts:3:1  a failed',
      true,
    ],
    ['without a frame has no location', withStack('a', 'Error: a'), 'src/  a', false],
    ['may be any value', 'text\nmore', 'src/  text', false],
  ])('%s', (_, cause, text, isLocated) => {
    const error = sourceErrorOf(cause, cwd);
    expect(error).toBeInstanceOf(SourceError);
    expect([error.message, error.isLocated]).toEqual([`${text}  ${expected}`, isLocated]);
  });
});
