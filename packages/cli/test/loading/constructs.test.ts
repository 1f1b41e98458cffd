// Constructs that `check` and the generators once refused, or accepted without a word.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyProject, type ToyProject } from '../support/toyProject.ts';

let project: ToyProject;
beforeEach(() => {
  project = createEmptyProject();
});
afterEach(() => project.remove());

interface Parts {
  readonly openapi?: string;
  /** More lines of the document. */
  readonly root?: string;
  readonly description?: string;
  readonly parameter?: string;
  readonly schema?: string;
  readonly schemas?: string;
}

function write({
  openapi = '3.1.0',
  root = '',
  description = 'Toys',
  parameter = 'id',
  schema = "{$ref: '#/components/schemas/Toy'}",
  schemas = 'Toy: {type: object}',
}: Parts): void {
  project.write(
    'openapi.yaml',
    `openapi: ${openapi}
info: {title: Toys, version: 1.0.0, license: {name: MIT, url: https://toys.test}, description: ${description}}
servers: [{url: https://toys.test}]
security: []
paths:
  /toys/{${parameter}}:
    get:
      operationId: getToy
      summary: Toy
      parameters: [{name: ${parameter}, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: ${schema}}}}
        default: {description: Error, content: {application/problem+json: {schema: {type: object}}}}
components:
  schemas:
    ${schemas}
${root}`,
  );
}

/** @returns the findings of `check` except lint rules about style, and the last line of `generate` */
async function results(): Promise<{ findings: string[]; generate: number | null; types: string }> {
  const { out } = await project.run('check');
  const findings = out
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .filter(
      (line) => !/\((?:no-unused-components|operation-4xx-response|errors-declared)\)/.test(line),
    );
  const { status } = await project.run('generate');
  const types = status === 0 ? project.read('generated/contract.ts') : '';
  return { findings, generate: status, types };
}

describe('a version without quotes', () => {
  it.each(['3.0', '3.1', '3.2'])(
    'is read, and one warning of every command: %s',
    async (version) => {
      write({ openapi: version });
      const text = `openapi is ${version} and read as ${version}.0  expected openapi: 3.0.x, 3.1.x or 3.2.x`;
      const { findings, generate } = await results();
      expect({ findings, generate }).toEqual({
        findings: [`openapi.yaml:1:10  warning: ${text}  (contract)`],
        generate: 0,
      });
      for (const command of ['bundle', 'client', 'release']) {
        expect(await project.run(command, 'openapi.yaml')).toMatchObject({ status: 0 });
      }
    },
  );

  it('names a converter for OpenAPI 2.0', async () => {
    project.write('openapi.yaml', 'swagger: 2.0\ninfo: {title: Toys, version: 1.0.0}\npaths: {}\n');
    const line =
      'openapi.yaml:1:10  swagger is 2.0  expected openapi: 3.0.x, 3.1.x or 3.2.x; the npm package swagger2openapi converts it';
    for (const command of ['bundle', 'client', 'generate', 'release']) {
      expect((await project.run(command, 'openapi.yaml')).err).toContain(line);
    }
    expect((await results()).findings).toEqual([`${line}  (contract)`]);
  });
});

describe('a $ref in place of a description', () => {
  it('is replaced by the text of a Markdown file, also in other files', async () => {
    project.write('docs/toys.md', '# Toys\r\n\nAll of `them`.\n');
    project.write('docs/toy.yaml', '{type: object, description: {$ref: toys.md}}');
    // A property of this name is a schema.
    const schemas = `Toy: {type: object, properties: {description: {$ref: docs/toy.yaml}}}`;
    write({ description: '{$ref: docs/toys.md}', schemas });
    expect(await results()).toMatchObject({ findings: [], generate: 0 });
    const bundle = JSON.parse(project.read('generated/contract.json'));
    expect(Object.keys(bundle.files)).toContain('../docs/toys.md');
    const text = '# Toys\n\nAll of `them`.\n';
    expect(bundle.document.info.description).toBe(text);
    expect(JSON.stringify(bundle.document.components)).toContain(JSON.stringify(text));
    await project.run('init', 'openapi.yaml', 'service', '--no-install');
    expect(project.read('service/docs/toys.md')).toContain('All of');
  });

  it('is an error with its location for other files', async () => {
    project.write('secret.md', 'hunter2');
    mkdirSync(join(project.path, 'api'));
    symlinkSync('../secret.md', join(project.path, 'api/link.md'));
    const targets = {
      ...{ '../secret.md': 'outside', 'link.md': 'outside', '/etc/motd.md': 'outside' },
      ...{ 'none.md': 'there is no such file', 'http://127.0.0.1:9/a.md': 'not supported' },
    };
    for (const [target, reason] of Object.entries(targets)) {
      write({ description: `{$ref: '${target}'}` });
      project.write('api/openapi.yaml', project.read('openapi.yaml'));
      const { out, status } = await project.run('check', 'api/openapi.yaml');
      const [first] = out.split('\n');
      expect(first).toMatch(/^api\/openapi\.yaml:2:\d+ {2}\$ref cannot be resolved/);
      expect(first).toContain(reason);
      expect(out).not.toContain('hunter2');
      expect(status).toBe(1);
    }
  });
});

describe('a valid construct', () => {
  it.each<[string, Parts]>([
    ['non-ASCII path parameters', { parameter: 'größe' }],
    [
      'a URI of $self',
      {
        openapi: '3.2.0',
        root: '$self: https://toys.test/openapi.yaml\n',
        schema: "{$ref: 'https://toys.test/openapi.yaml#/components/schemas/Toy'}",
      },
    ],
    [
      'an $id beside $self',
      {
        openapi: '3.2.0',
        root: '$self: https://toys.test/v1/openapi.yaml\n',
        schema: '{$ref: /v1/toy}',
        schemas: 'Toy: {$id: toy, type: object}',
      },
    ],
  ])('has no finding: %s', async (_, parts) => {
    write(parts);
    expect(await results()).toMatchObject({ findings: [], generate: 0 });
  });

  it('has its target: a JSON pointer with empty tokens', async () => {
    write({
      schemas: `Toy: {type: object, $defs: {'': {$defs: {'': {type: integer}}}}, properties: {a: {$ref: '#/components/schemas/Toy/$defs//$defs/'}}}`,
    });
    const { findings, generate } = await results();
    expect(findings.filter((line) => line.includes('$ref'))).toEqual([]);
    expect(generate).toBe(0);
    write({ schemas: `Toy: {properties: {a: {$ref: '#/components/schemas/Toy/$defs//$defs/'}}}` });
    expect((await results()).findings[0]).toContain('target not found');
  });
});

it('warns of nullable beside $ref in OpenAPI 3.1, which types allow as the engine does', async () => {
  const schemas = `Toy: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/Name', nullable: true}}}
    Name: {type: string}`;
  write({ schemas });
  const { findings, types } = await results();
  expect(findings).toEqual([
    'openapi.yaml:16:92  warning: nullable is not a keyword of this version, but is enforced  expected a keyword of this version  (struct)',
  ]);
  expect(types).toContain('a: components["schemas"]["Name"] | null;');
  write({ openapi: '3.0.3', schemas });
  expect((await results()).types).toContain('a: components["schemas"]["Name"];');
});

describe('the number of warnings of schemas that require themselves, with', () => {
  const WARNING =
    'no value is valid: the schema requires itself  expected an optional property or item';
  const TOY = "{$ref: '#/components/schemas/Toy'}";
  it.each([
    ['a required property', `Toy: {type: object, required: [a], properties: {a: ${TOY}}}`, 1],
    ['a required item', `Toy: {type: array, minItems: 1, items: ${TOY}}`, 1],
    [
      'a property of allOf',
      `Toy: {type: object, required: [a], allOf: [{properties: {a: ${TOY}}}]}`,
      1,
    ],
    [
      'two schemas',
      `Toy: {type: object, required: [b], properties: {b: {$ref: '#/components/schemas/Box'}}}
    Box: {type: object, required: [a], properties: {a: ${TOY}}}`,
      2,
    ],
    ['an optional property', `Toy: {type: object, properties: {a: ${TOY}}}`, 0],
    ['null', `Toy: {type: [object, 'null'], required: [a], properties: {a: ${TOY}}}`, 0],
    ['no type', `Toy: {required: [a], properties: {a: ${TOY}}}`, 0],
    ['no items', `Toy: {type: array, items: ${TOY}}`, 0],
    [
      'an alternative',
      `Toy: {type: object, required: [a], properties: {a: {anyOf: [${TOY}, {type: string}]}}}`,
      0,
    ],
    [
      'a hidden property',
      `Toy: {type: object, required: [a], properties: {a: {readOnly: true, allOf: [${TOY}]}}}`,
      0,
    ],
  ])('%s', async (_, schemas, count) => {
    write({ schemas });
    const { findings } = await results();
    expect(findings.filter((line) => line.includes(WARNING))).toHaveLength(count);
  });
});
