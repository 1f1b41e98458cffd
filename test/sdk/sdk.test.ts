// Generated SDKs: compiled under `strict` and used against the service. docs/stubwright/languages.md has the results.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, storedPlants, type TestService, TOKEN } from '../support/service.ts';

const run = promisify(execFile);
const CLIENTS = 'test/sdk/clients';
const GENERATORS = resolve('test/sdk/node_modules/.bin');
const BUILD = resolve('build/sdk');

/** The contract with one operation more, which is mocked: this one's answers hold no int64. */
const CONTRACT = readFileSync('openapi.yaml', 'utf8').replace(
  '\ncomponents:\n',
  `
  /newest-plant:
    get:
      operationId: readNewestPlant
      responses:
        "200":
          description: The newest plant, with its id.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/NewPlant"
              example: { id: 9007199254740993, name: Fern }
components:
`,
);

interface Sdk {
  readonly client: string;
  /** @returns the arguments of node: a generator that writes to `generated/` in its own folder */
  readonly generate: (url: string) => string[];
  /** What the call without any care for int64 comes to. */
  readonly asGenerated: unknown;
  /** Whether a call may ask for the text of the answer. */
  readonly givesText: boolean;
}

const REFUSED_AS_TEXT = { error: 40000, message: '/id expected an int64 integer' };

const sdks: readonly Sdk[] = [
  {
    client: 'openapiFetch',
    generate: (url) => [
      resolve(CLIENTS, 'openapiTypescript.mjs'),
      `${url}/openapi.yaml`,
      'generated/contract.ts',
    ],
    givesText: true,
    asGenerated: { threw: 'TypeError: Do not know how to serialize a BigInt' },
  },
  {
    client: 'heyApi',
    generate: (url) => [
      `${GENERATORS}/openapi-ts`,
      ...['--silent', '--no-log-file', '-i', `${url}/openapi.yaml`, '-o', 'generated'],
      ...['-p', '@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
      '@hey-api/transformers',
    ],
    givesText: true,
    asGenerated: { status: 400, body: REFUSED_AS_TEXT },
  },
  {
    client: 'swaggerTypescriptApi',
    generate: (url) => [
      ...[`${GENERATORS}/swagger-typescript-api`, 'generate', '--silent'],
      ...['-p', `${url}/openapi.json`, '-o', 'generated', '-n', 'api.ts'],
      ...['--custom-config', resolve(CLIENTS, 'swaggerTypescriptApi.config.mjs')],
    ],
    givesText: false,
    asGenerated: { threw: 'TypeError: Do not know how to serialize a BigInt' },
  },
];

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  },
  include: ['*/*.ts', '*/generated'],
};

const areInstalled = existsSync(GENERATORS);
if (!areInstalled) {
  process.stderr.write(
    'SKIPPED: test/sdk/sdk.test.ts found no SDK generators; make test-all installs them\n',
  );
}

const node = (cwd: string, ...args: string[]) => run(process.execPath, args, { cwd });

/** Starts a service and generates the SDK from the contract that it serves. */
async function generateSdk({ client, generate }: Sdk): Promise<TestService> {
  const folder = join(BUILD, client);
  mkdirSync(`${folder}/generated`, { recursive: true });
  writeFileSync(`${folder}/openapi.yaml`, CONTRACT);
  for (const name of [client, 'sdk']) {
    copyFileSync(`${CLIENTS}/${name}.ts`, `${folder}/${name}.ts`);
  }
  const service = await startTestService({ CONTRACT: `${folder}/openapi.yaml`, MOCK: 'missing' });
  await node(folder, ...generate(service.url));
  checkEveryLine(`${folder}/generated/api.ts`);
  return service;
}

const describeSdks = areInstalled ? describe : describe.skip;

describeSdks('SDKs of the served contract', () => {
  const services = new Map<string, TestService>();

  // All in one tsc run: most of its time is spent on the library types, which they share.
  beforeAll(async () => {
    rmSync(BUILD, { recursive: true, force: true });
    mkdirSync(BUILD, { recursive: true });
    writeFileSync(join(BUILD, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    for (const sdk of sdks) services.set(sdk.client, await generateSdk(sdk));
    await node(BUILD, resolve('node_modules/typescript/bin/tsc'), '-p', '.').catch(({ stdout }) => {
      throw new Error(stdout);
    });
  }, 120_000);
  afterAll(async () => {
    for (const service of services.values()) await service.remove();
  });

  describe.each(sdks)('an SDK for $client', ({ client, asGenerated, givesText }) => {
    let service: TestService;
    let seen: Map<string, unknown>;

    beforeAll(async () => {
      service = services.get(client)!;
      const { stdout } = await node(BUILD, `out/${client}/${client}.js`, service.url, TOKEN);
      seen = new Map(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    }, 60_000);

    it('creates a plant', () => {
      const body = { name: 'Monstera', tag: 'tropical' };
      expect(seen.get('created')).toEqual({ status: 200, body });
    });

    it('reads the Error of a conflict', () => {
      const body = { error: 40900, message: 'id 1 holds another plant' };
      expect(seen.get('conflict')).toEqual({ status: 409, body });
    });

    it('creates a plant under an id of 19 digits, exactly', async () => {
      expect(seen.get('largest')).toEqual({ status: 200, body: { name: 'Ficus' } });
      await service.stop();
      expect(storedPlants(service.databaseFile).map(({ id }) => id)).toEqual([
        1n,
        9223372036854775807n,
      ]);
    });

    it('reads an id of 19 digits rounded, despite its type', () => {
      expect(seen.get('read')).toBe('number 9007199254740992');
    });

    if (givesText) {
      it('reads every digit where it asks for the text', () => {
        expect(seen.get('read as text')).toBe('{"name":"Fern","id":9007199254740993}');
      });
    }

    it('serializes no bigint without configuration', () => {
      expect(seen.get('as generated')).toEqual(asGenerated);
    });
  });
});

/** swagger-typescript-api asks the compiler to look away from what it writes. */
function checkEveryLine(file: string): void {
  if (!existsSync(file)) return;
  writeFileSync(file, readFileSync(file, 'utf8').replace('// @ts-nocheck', ''));
}
