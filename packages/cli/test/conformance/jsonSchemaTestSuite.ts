// The JSON-Schema-Test-Suite: each schema is the request body of a contract that `fetchHandler` serves.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { loadContractFiles } from '../../src/loading/load.ts';

type Schema = boolean | Record<string, unknown>;

interface Test {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

interface Group {
  readonly description: string;
  readonly schema: Schema;
  readonly tests: readonly Test[];
}

/** A group of tests with one schema; `name` is `file: description`. */
export interface SuiteGroup extends Group {
  readonly name: string;
  readonly isOptional: boolean;
}

const SUITE = join(dirname(fileURLToPath(import.meta.url)), 'json-schema-test-suite');
const TESTS = join(SUITE, 'tests/draft2020-12');
/** The suite expects its remote schemas at this URI. */
const REMOTE = 'http://localhost:1234/';
const require = createRequire(import.meta.url);

/** @returns the groups of the suite in order of their files */
export function suiteGroups(): SuiteGroup[] {
  return jsonFiles(TESTS).flatMap((file) => {
    const isOptional = file.startsWith('optional');
    const groups = parsed(join(TESTS, file)) as Group[];
    return groups.map((group) => ({
      ...group,
      isOptional,
      name: `${file.replace('.json', '')}: ${group.description}`,
    }));
  });
}

/** @returns the names of the failed tests of a group; all of them if the contract does not load */
export async function failuresOf(
  group: SuiteGroup,
  openapi: string,
  folder: string,
): Promise<string[]> {
  try {
    const isValid = await served(group, openapi, folder);
    const found: string[] = [];
    for (const test of group.tests) {
      if ((await isValid(test.data)) !== test.valid) found.push(nameOf(group, test));
    }
    return found;
  } catch (error) {
    return group.tests.map((test) => `${nameOf(group, test)}  ${firstLine(error)}`);
  }
}

/** The same with Ajv alone. */
export function failuresOfAjv(group: SuiteGroup): string[] {
  const plain = JSON.parse(JSON.stringify(group)) as SuiteGroup;
  try {
    const ajv = new Ajv2020({ strict: false, formats: fullFormats, logger: false });
    for (const [uri, schema] of remotesOf(plain.schema)) {
      if (!uri.startsWith('https://json-schema.org')) ajv.addSchema(schema, uri);
    }
    const validate = ajv.compile(plain.schema);
    return plain.tests
      .filter(({ data, valid }) => validate(data) !== valid)
      .map((test) => nameOf(group, test));
  } catch (error) {
    return plain.tests.map((test) => `${nameOf(group, test)}  ${firstLine(error)}`);
  }
}

/** @returns a function that sends a value as the request body */
async function served(
  { name, schema }: SuiteGroup,
  openapi: string,
  folder: string,
): Promise<(data: unknown) => Promise<boolean>> {
  const path = join(folder, `${openapi}.json`);
  writeRemotes(folder);
  writeFileSync(path, JSON.stringify(contractOf(schema, openapi)));
  const api = await createApi<undefined, Request>({
    contract: await loadContractFiles(path),
    handlers: { validate: () => ({ status: 204 }) },
  });
  const handle = fetchHandler(api);
  return async (data) => {
    const response = await handle(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(data),
      }),
    );
    if (response.status !== 204 && response.status !== 400) {
      throw new Error(`${name}: ${response.status} ${await response.text()}`);
    }
    return response.status === 204;
  };
}

function contractOf(schema: Schema, openapi: string): Schema {
  return {
    openapi,
    info: { title: 'JSON Schema', version: '1' },
    paths: {
      '/': {
        post: {
          operationId: 'validate',
          requestBody: { content: { 'application/json': { schema: resource(schema, TEST_URI) } } },
          responses: { 204: { description: 'The body is valid' } },
        },
      },
    },
  };
}

/** Writes the documents that schemas refer to, and the table of their addresses. */
function writeRemotes(folder: string): void {
  const table = join(folder, 'stubwright.yaml');
  if (existsSync(table)) return;
  mkdirSync(join(folder, 'metaschemas'), { recursive: true });
  cpSync(join(SUITE, 'remotes'), join(folder, 'remotes'), { recursive: true });
  const copies = metaschemas().map(([uri, schema], at) => {
    const path = `metaschemas/${at}.json`;
    writeFileSync(join(folder, path), JSON.stringify(schema));
    return [uri, path];
  });
  const remotes = { [REMOTE]: 'remotes', ...Object.fromEntries(copies) };
  writeFileSync(table, JSON.stringify({ remotes }));
}

const TEST_URI = `${REMOTE}test`;

/** A schema in a contract is a document of its own if it has an `$id`. */
function resource(schema: Schema, uri: string): Schema {
  return typeof schema === 'boolean' || schema['$id'] !== undefined
    ? schema
    : { $id: uri, ...schema };
}

/** @returns the remote schemas that a schema may refer to, by URI */
function remotesOf(schema: Schema): [uri: string, schema: Schema][] {
  const found = new Map<string, Schema>();
  const pending: unknown[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const text = JSON.stringify(next);
    for (const [uri, remote] of REMOTES) {
      if (found.has(uri) || !text.includes(lastPartOf(uri))) continue;
      if (uri.startsWith('https:') && !isReferenced(uri, text)) continue;
      found.set(uri, remote);
      pending.push(remote);
    }
  }
  return [...found];
}

/** `$schema` does not need its metaschema. */
function isReferenced(uri: string, text: string): boolean {
  return text.replaceAll(`"$schema":"${uri}"`, '').includes(lastPartOf(uri));
}

const REMOTES = new Map<string, Schema>([
  ...jsonFiles(join(SUITE, 'remotes')).flatMap((file): [string, Schema][] => {
    const uri = REMOTE + file;
    const remote = resource(parsed(join(SUITE, 'remotes', file)) as Schema, uri);
    const id = String((remote as Record<string, unknown>)['$id']);
    // A document may have another URI than the one it is retrieved from.
    const alias: [string, Schema][] = id === uri ? [] : [[uri, { $id: uri, $ref: id }]];
    return [...alias, [id, remote]];
  }),
  ...metaschemas(),
]);

/** The metaschema of draft 2020-12 and its vocabularies, as Ajv ships them. */
function metaschemas(): [string, Schema][] {
  const names = ['applicator', 'content', 'core', 'format-annotation', 'meta-data'];
  const meta = [...names, 'unevaluated', 'validation'].map((name) => `meta/${name}`);
  return ['schema', ...meta].map((name) => {
    const schema = require(`ajv/dist/refs/json-schema-2020-12/${name}.json`);
    return [schema.$id, schema];
  });
}

/** A relative reference ends like its URI. */
function lastPartOf(uri: string): string {
  return uri.split(/[/:]/).at(-1)!;
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort();
}

/** Numbers keep their digits. */
function parsed(path: string): unknown {
  const keepDigits = (_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? JSON.rawJSON(source) : value;
  return JSON.parse(readFileSync(path, 'utf8'), keepDigits as Parameters<typeof JSON.parse>[1]);
}

function nameOf({ name }: SuiteGroup, { description }: Test): string {
  return `${name}: ${description}`;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0]!;
}
