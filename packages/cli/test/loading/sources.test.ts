// The sources of contracts: the disk, a git revision and memory.
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { openContract } from '../../src/check/contracts.ts';
import {
  DISK,
  memoryTree,
  type Sources,
  Tree,
  type TreeFile,
} from '../../src/loading/containment.ts';
import { gitRevision } from '../../src/loading/gitRevision.ts';
import { loadContractFiles } from '../../src/loading/load.ts';
import { runCommand } from '../support/command.ts';

/** GET /toys with a schema. */
function contractWith(schema: string): string {
  return `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
servers: [{url: /}]
paths:
  /toys:
    get:
      operationId: listToys
      responses:
        '200': {description: ok, content: {application/json: {schema: ${schema}}}}
`;
}

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const at = (path: string) => join(folder.path, path);

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function commit(): void {
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'One');
}

async function schemaIn(base: string, cwd: string): Promise<unknown> {
  const { definition } = await openContract(base, { cwd: at(cwd) });
  const response = definition.operations[0]!.responses.get('200')!;
  return response.contents.get('application/json')!.schema!.written;
}

describe('a git revision', () => {
  it.each([
    ['a subfolder', 'apps/shop', 'HEAD'],
    ['a subfolder, by path', 'apps/shop', 'HEAD:openapi.yaml'],
    ['the top level', '.', 'HEAD:apps/shop/openapi.yaml'],
    ['another folder', 'shared', 'HEAD:../apps/shop/openapi.yaml'],
  ])('has the files of the whole repository: from %s', async (_, cwd, base) => {
    write('apps/shop/openapi.yaml', contractWith("{$ref: '../../shared/common.yaml#/Toy'}"));
    write('shared/common.yaml', 'Toy: {type: string}');
    commit();
    for (const path of ['apps', 'shared']) rmSync(at(path), { recursive: true });
    mkdirSync(at(cwd), { recursive: true });
    expect(await schemaIn(base, cwd)).toBeDefined();
    const { definition } = await openContract(base, { cwd: at(cwd) });
    expect(JSON.stringify(definition.document)).toContain('"type":"string"');
  });

  it('is compared from a subfolder, with the locations of both contracts', async () => {
    write('apps/shop/openapi.yaml', contractWith("{$ref: '../../shared/common.yaml#/Toy'}"));
    write('shared/common.yaml', 'Toy: {type: string}');
    commit();
    write('shared/common.yaml', 'Toy: {type: integer}');
    const { out, err } = await runCommand(['diff', 'HEAD'], { cwd: at('apps/shop') });
    expect(err).toMatch(/^1 breaking change since 1\.0\.0/);
    expect(out).toContain('../../shared/common.yaml:1:');
  });

  it('needs no temporary folder', async () => {
    write('openapi.yaml', contractWith('{type: string}'));
    commit();
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = at('none');
    try {
      expect(await schemaIn('HEAD', '.')).toEqual({ type: 'string' });
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
  });

  it('follows the symbolic links of the repository', async () => {
    write('shared/common.yaml', 'Toy: {type: string}');
    mkdirSync(at('api'));
    symlinkSync('../shared', at('api/parts'));
    write('api/openapi.yaml', contractWith("{$ref: 'parts/common.yaml#/Toy'}"));
    commit();
    const { definition } = await openContract('HEAD:api/openapi.yaml', { cwd: folder.path });
    expect(JSON.stringify(definition.document)).toContain('"type":"string"');
  });

  it('of a bare repository is read too', async () => {
    write('openapi.yaml', contractWith('{type: string}'));
    commit();
    git('clone', '-q', '--bare', '.', 'bare.git');
    expect(await schemaIn('HEAD:openapi.yaml', 'bare.git')).toEqual({ type: 'string' });
  });

  it('names itself in the errors of its contract', async () => {
    write('api/openapi.yaml', contractWith("{$ref: '#/none'}"));
    commit();
    await expect(openContract('HEAD:api/openapi.yaml', { cwd: folder.path })).rejects.toThrow(
      /^HEAD:api\/openapi\.yaml:9:\d+ {2}\$ref cannot be resolved/,
    );
  });

  it('reports that it has no such file', async () => {
    write('openapi.yaml', contractWith('{type: string}'));
    commit();
    await expect(openContract('HEAD:none.yaml', { cwd: folder.path })).rejects.toThrow(
      'BASE: got HEAD:none.yaml, expected a revision that has none.yaml',
    );
  });
});

/** The same files in each of the sources. */
function everySource(): Sources[] {
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path): [string, Buffer] => [path.slice(folder.path.length + 1), readFileSync(path)]);
  return [DISK, gitRevision('HEAD', folder.path).sources, memoryTree(folder.path, new Map(files))];
}

describe('the disk, a git revision and memory', () => {
  it('load the same contract of several files', async () => {
    const from = resolve('packages/test-support/regressions/operation-ref');
    const paths = readdirSync(from, { recursive: true, encoding: 'utf8' });
    for (const path of paths.filter((each) => each.endsWith('.yaml'))) {
      write(path, readFileSync(join(from, path), 'utf8'));
    }
    commit();
    const [disk, ...others] = await Promise.all(
      everySource().map(async (sources) => {
        const { definition, files } = await loadContractFiles('openapi.yaml', {
          cwd: folder.path,
          sources,
        });
        return { document: definition.document, files };
      }),
    );
    expect(disk!.files.length).toBeGreaterThan(1);
    expect(others).toEqual([disk, disk]);
  });

  it('resolve the same symbolic links', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const target = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '..', '.'), {
      minLength: 1,
      maxLength: 4,
    });
    const links = fc.array(fc.tuple(fc.constantFrom('.', 'a', 'a/b', 'd'), name, target), {
      maxLength: 6,
    });
    const asked = fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), {
      minLength: 10,
      maxLength: 20,
    });
    fc.assert(
      fc.property(links, asked, (made, paths) => {
        const root = at('repository');
        rmSync(root, { recursive: true, force: true });
        write('repository/a/b/c', 'x');
        write('repository/d/d', 'x');
        const read = async () => Buffer.from('x');
        const files = new Map<string, TreeFile>([
          ['a/b/c', { read }],
          ['d/d', { read }],
        ]);
        for (const [parent, child, to] of made) {
          const path = join(parent, child);
          if (lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined) continue;
          symlinkSync(join(...to), join(root, path));
          files.set(path, { read, link: () => join(...to) });
        }
        const tree = new Tree(root, files);
        for (const path of paths) {
          const [onDisk, inTree] = [DISK, tree].map((each) =>
            foundIn(each, join(root, ...path), root),
          );
          // A link out of the tree may lead nowhere on the disk.
          if (inTree !== 'outside') expect(inTree).toBe(onDisk);
          else expect(['outside', 'ENOENT']).toContain(onDisk);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

/** @returns the real path, `outside` for one outside of the root, or the code of the error */
function foundIn(sources: Sources, path: string, root: string): string | undefined {
  try {
    const found = sources.realPath(path);
    return found.startsWith(root) ? found : 'outside';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Of a path through a file.
    return code === 'ENOTDIR' ? 'ENOENT' : code;
  }
}
