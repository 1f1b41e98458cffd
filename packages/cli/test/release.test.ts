// `stubwright release`, in a temporary project.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Conversation } from '@stubwright/traffic';
import { createEmptyProject, createToyProject, type ToyProject } from './support/toyProject.ts';

let project: ToyProject;

beforeEach(() => {
  project = createToyProject();
});
afterEach(() => project.remove());

/** Releases the contract with replaced strings. */
async function release(...replaced: [string, string][]) {
  let text = project.read('test/released/1.0.0.yaml');
  for (const [from, to] of replaced) text = text.replace(from, to);
  project.write('openapi.yaml', text);
  return { ...(await project.run('release')), text };
}

const MODULE = 'errorScenarios.mjs';

function writeScenarios(scenarios: string): void {
  project.write(MODULE, `export const errorScenarios = ${scenarios};`);
}

function requestsOf(version: string): Conversation[] {
  return JSON.parse(project.read(`test/released/${version}.requests.json`));
}

const NEXT: [string, string] = ['version: 1.0.0', 'version: 1.1.0'];
const HEALTH = `paths:
  /health:
    get:
      operationId: getHealth
      responses: { '204': { description: well } }`;

describe('make release', () => {
  it('stores the contract, and the documented requests of each operation', async () => {
    const { status, text } = await release(NEXT, ['paths:', HEALTH]);
    expect(status).toBe(0);
    expect(project.read('test/released/1.1.0.yaml')).toBe(text);
    expect(requestsOf('1.1.0')).toContainEqual({
      name: 'getHealth as documented',
      requests: [
        {
          operationId: 'getHealth',
          method: 'get',
          path: '/health',
          headers: { Authorization: 'Bearer TOKEN' },
          status: 204,
        },
      ],
    });
  });

  it('stores documented requests after a create, with the types of their parameters', async () => {
    await release(NEXT);
    const { requests } = requestsOf('1.1.0').find(({ name }) => name === 'getToy as documented')!;
    expect(requests.map((each) => each.operationId)).toEqual(['storeToy', 'getToy']);
    expect(requests.at(-1)).toMatchObject({ path: '/toys/{id}', params: { path: { id: 1 } } });
  });

  it.each([
    ['schema: { type: integer }, example: 5', '/files/{of}?x=1', { of: 5 }],
    ['style: matrix, schema: { type: integer }, example: 5', '/files/{of}?x=1', { of: 5 }],
    ['style: label, schema: { type: string }, example: a/b', '/files/{of}?x=1', { of: 'a/b' }],
    ['schema: { type: integer, format: int64 }, example: 7', '/files/{of}?x=1', { of: 7 }],
    ['schema: {}, example: 9007199254740993', '/files/{of}?x=1', { of: '9007199254740993' }],
    ['schema: { type: array }, example: [a, b]', '/files/a,b?x=1', undefined],
  ])('stores the path parameter %s', async (parameter, path, values) => {
    const text = `paths:
  /files/{of}:
    get:
      operationId: getFile
      parameters:
        - { name: of, in: path, required: true, ${parameter} }
        - { name: x, in: query, required: true, schema: { type: integer }, example: 1 }
      responses: { '204': { description: found } }`;
    await release(NEXT, ['openapi: 3.0.3', 'openapi: 3.1.0'], ['paths:', text]);
    const { requests } = requestsOf('1.1.0').find(({ name }) => name === 'getFile as documented')!;
    expect(requests).toMatchObject([{ path }]);
    expect(requests[0]!.params?.path).toEqual(values);
  });

  it('stores the request of each error scenario, those of * for each operation', async () => {
    writeScenarios(`{
      '* 401 missing': { headers: { Authorization: undefined } },
      'getToy 401 missing': { path: '/toys/7' },
      'storeToy 413 tooLarge': { body: [{ repeat: 'x', times: 9 }], situation: 'full' },
      'getToy 200 stored': { before: ['storeToy tagged'] },
    }`);
    project.write('openapi.yaml', project.read('openapi.yaml').replace(...NEXT));
    expect(await project.run('release', '--error-scenarios', MODULE)).toMatchObject({
      status: 0,
      err: '',
    });
    const stored = Object.fromEntries(requestsOf('1.1.0').map((each) => [each.name, each]));
    expect(stored['storeToy 401 missing']!.requests[0]).toMatchObject({
      headers: { 'Content-Type': 'application/json' },
      status: 401,
    });
    expect(stored['storeToy 401 missing']!.requests[0]!.headers).not.toHaveProperty(
      'Authorization',
    );
    expect(stored['getToy 401 missing']!.requests).toEqual([
      expect.objectContaining({ path: '/toys/7' }),
    ]);
    expect(stored['storeToy 413 tooLarge']).toMatchObject({
      situation: 'full',
      requests: [{ body: [{ repeat: 'x', times: 9 }], status: 413 }],
    });
    expect(stored['getToy 200 stored']!.requests.map((each) => each.operationId)).toEqual([
      'storeToy',
      'getToy',
    ]);
  });

  it('lists the declared responses without a request', async () => {
    writeScenarios("{ '* 401 missing': { headers: { Authorization: undefined } } }");
    project.write('openapi.yaml', project.read('openapi.yaml').replace(...NEXT));
    const { status, out } = await project.run('release', '--error-scenarios', MODULE);
    expect(status).toBe(0);
    expect(out).toMatch(/^without a request: .*getToy 400, getToy 404/m);
    expect(out).not.toContain('getToy 401');
  });

  it('rejects an error scenario after a request that is not documented', async () => {
    writeScenarios("{ 'getToy 200 stored': { before: ['storeToy typo'] } }");
    project.write('openapi.yaml', project.read('openapi.yaml').replace(...NEXT));
    expect((await project.run('release', '--error-scenarios', MODULE)).err).toBe(
      'stubwright: getToy 200 stored: the contract documents no request storeToy typo\n',
    );
  });

  it('lists the operations without a handler, which the mock responds to', async () => {
    project.write('package.json', '{"type":"module"}');
    project.write('src/handlers/index.ts', 'export const handlers = { getToy: Symbol("mocked") };');
    const { status, out } = await release(NEXT);
    expect(out).toMatch(/^test\/released\/1\.1\.0\.yaml: .*\nmocked: storeToy, getToy\n$/s);
    expect(status).toBe(0);
    expect(project.read('test/released/1.1.0.yaml')).toContain('1.1.0');
  });

  it('writes the client package of the version, with its changes', async () => {
    await release(NEXT, ['paths:', HEALTH]);
    const folder = 'test/released/1.1.0.client';
    expect(JSON.parse(project.read(`${folder}/package.json`))).toMatchObject({
      ...{ name: 'toy-store', version: '1.1.0' },
      files: [
        ...['index.js', 'index.d.ts', 'operations.d.ts', 'index.cjs', 'index.d.cts'],
        ...['contract.d.ts', 'CHANGELOG.md'],
      ],
    });
    expect(project.read(`${folder}/index.d.ts`)).toContain('getHealth');
    const first = project.read(`${folder}/CHANGELOG.md`);
    expect(first).toMatch(/^# Toy store: 1\.0\.0 → 1\.1\.0\n.*### `GET \/health`/s);
    project.write(
      'openapi.yaml',
      project.read('openapi.yaml').replace('version: 1.1.0', 'version: 1.2.0'),
    );
    expect((await project.run('release', '--client', '@acme/toys')).out).toContain(
      'test/released/1.2.0.client: @acme/toys 1.2.0\n',
    );
    expect(project.read('test/released/1.2.0.client/CHANGELOG.md')).toMatch(
      /^# Toy store: 1\.1\.0 → 1\.2\.0\n.*\n# Toy store: 1\.0\.0 → 1\.1\.0\n/s,
    );
  });

  it('writes a client with the types of the one before', async () => {
    const typesIn = (version: string) =>
      JSON.parse(project.read(`test/released/${version}.client/package.json`)).stubwright;
    project.write('openapi.yaml', project.read('openapi.yaml').replace(...NEXT));
    expect((await project.run('release', '--int64', 'number', '--dates', 'Date')).status).toBe(0);
    expect(typesIn('1.1.0')).toEqual({ dates: 'Date', int64: 'number' });
    const next = project.read('openapi.yaml').replace('version: 1.1.0', 'version: 1.2.0');
    project.write('openapi.yaml', next);
    expect((await project.run('release', '--dates', 'string')).status).toBe(0);
    expect(typesIn('1.2.0')).toEqual({ dates: 'string', int64: 'number' });
  });

  it('writes no client package with --no-client', async () => {
    project.write('openapi.yaml', project.read('openapi.yaml').replace(...NEXT));
    const { out } = await project.run('release', '--no-client');
    expect(out).toMatch(/^test\/released\/1\.1\.0\.yaml: [^\n]*\n$/);
  });

  it('stores the first release', async () => {
    const empty = createEmptyProject();
    try {
      const { status, out } = await empty.run('release');
      expect(out).toMatch(/^test\/released\/1\.0\.0\.yaml: \d+ conversations in /);
      expect(status).toBe(0);
      expect(empty.read('test/released/1.0.0.yaml')).toBe(empty.read('openapi.yaml'));
      expect(JSON.parse(empty.read('test/released/1.0.0.requests.json'))).not.toEqual([]);
    } finally {
      empty.remove();
    }
  });

  it('rejects a version that is already released', async () => {
    const { status, err } = await release();
    expect(err).toMatch(
      /^stubwright: 1\.0\.0 is released already: expected another info\.version in /,
    );
    expect(status).toBe(1);
  });

  it('rejects a breaking change without a new major version', async () => {
    const { status, err } = await release(NEXT, ['required: [name]', 'required: [name, tag]']);
    expect(err).toBe(
      'stubwright: 1 breaking change since 1.0.0: expected none, or info.version 2.0.0\n',
    );
    expect(status).toBe(1);
  });
});
