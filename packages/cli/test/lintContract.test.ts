// The lint rules for contracts: redocly.yaml, the preset `stubwright/strict`, the defaults.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { withFiles } from '@stubwright/test-support/contractFiles';
import { lintContract } from '../src/check/lintContract.ts';
import plugin from '../src/check/redoclyPlugin.ts';
import { lineOf } from '../src/output/formats.ts';
import { COMMAND_OUTPUT } from './commandOutput.ts';
import { CONTRACT, createToyProject } from './support/toyProject.ts';

const SOURCE = readFileSync(CONTRACT, 'utf8');
const PLUGIN = 'plugins: ["@stubwright/cli/redocly"]\n';
const STRICT = `${PLUGIN}extends: [stubwright/strict]\n`;

/** Lints files in a temporary folder; the first one is the contract. */
function findingsOf(files: Record<string, string>, config = STRICT): Promise<string[]> {
  return withFiles({ ...files, 'redocly.yaml': config }, async (_load, folder) => {
    const findings = await lintContract(Object.keys(files)[0]!, { cwd: folder });
    return findings.map(lineOf);
  });
}

/** The contract with every `from` replaced by `to`. */
function edited(from: string, to: string): Record<string, string> {
  expect(SOURCE).toContain(from);
  return { 'openapi.yaml': SOURCE.replaceAll(from, to) };
}

/** @returns `line:column`, both starting at 1 */
function locationOf(text: string, found: string): string {
  const lines = text.slice(0, text.indexOf(found)).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}

/** A file beside the contract, with a schema of the same name. */
const OTHER = `components:
  schemas:
    Toy: { type: object, description: d, properties: { id: { type: integer, description: d, example: 1 } } }
`;

/** A rule, an edit of the contract that violates it, and the location that is reported: what strict.yaml cannot have. */
const VIOLATIONS = [
  ['operation-operationId', 'operationId: storeToy', 'x-was: storeToy', 'post:'],
  ['spec-components-invalid-map-name', 'NewToy', 'New.Toy!', 'New.Toy!:'],
  [
    'component-name-unique',
    'schema:\n              $ref: "#/components/schemas/NewToy"',
    'schema:\n              $ref: "other.yaml#/components/schemas/Toy"',
    'type: object\n      description: A toy as',
  ],
] as const;

describe('stubwright/strict', () => {
  it('has an example of each of its rules, here or in the recorded output of strict.yaml', () => {
    const recorded = readFileSync(COMMAND_OUTPUT, 'utf8').matchAll(/^strict\.yaml:.*\((\S+)\)$/gm);
    const examples = new Set([...recorded].map(([, rule]) => rule!));
    for (const [rule] of VIOLATIONS) examples.add(rule);
    const { rules } = plugin().configs!['strict']!;
    for (const rule of Object.keys(rules!)) expect(examples).toContain(rule);
  });

  it('reports nothing for a contract that follows the rules', async () => {
    expect(await findingsOf({ 'openapi.yaml': SOURCE })).toEqual([]);
  });

  it.each(VIOLATIONS)('reports a violation of %s', async (rule, from, to, location) => {
    const files = edited(from, to);
    const found = await findingsOf({ ...files, 'other.yaml': OTHER });
    const at = locationOf(files['openapi.yaml']!, location);
    expect(found.filter((line) => line.endsWith(`  (${rule})`))).toContainEqual(
      expect.stringMatching(new RegExp(`^openapi\\.yaml:${at}  \\S.*  \\(`)),
    );
  });
});

describe('the rule stubwright/named-schemas', () => {
  it.each([
    ['{ type: object }', 0],
    ['{ items: { type: string } }', 0],
    ['{ type: array, items: [] }', 0],
    ['{ type: object, additionalProperties: { items: { anyOf: [{}] } } }', 1],
    ['{ properties: { a: { properties: {} } } }', 2],
  ])('of an inline schema %s has %i findings', async (schema, count) => {
    const text = `openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /a: { get: { responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }
`;
    const config = `${PLUGIN}rules: { stubwright/named-schemas: error }\n`;
    const found = await findingsOf({ 'openapi.yaml': text }, config);
    expect(found.filter((line) => line.endsWith('(stubwright/named-schemas)'))).toHaveLength(count);
  });
});

describe('redocly.yaml', () => {
  const WITHOUT_SUMMARY = edited('summary: Store a toy', 'x-was: it');
  const BIG = edited('9223372036854775807', '9223372036854775808');

  it.each(['error', 'warn', 'off'])(
    'sets the severity of a rule of the preset to %s',
    async (s) => {
      const rules = `rules: { stubwright/examples: ${s}, rule/property-style: ${s} }\n`;
      const contract = SOURCE.replace('        tag:\n', '        Tag:\n').replace(
        'examples:\n                tagged:\n                  summary: A toy with a tag\n                  value: { name',
        'x-was:\n                tagged:\n                  summary: A toy with a tag\n                  value: { name',
      );
      const found = await findingsOf({ 'openapi.yaml': contract }, STRICT + rules);
      const severities = ['stubwright/examples', 'rule/property-style'].map((rule) => {
        const line = found.find((each) => each.endsWith(`(${rule})`));
        return line === undefined ? 'off' : line.includes('  warning: ') ? 'warn' : 'error';
      });
      expect(severities).toEqual([s, s]);
    },
  );

  it('sets the severity of examples that only the engine rejects', async () => {
    const config = (severity: string) => `rules: { no-invalid-media-type-examples: ${severity} }`;
    const found = expect.stringMatching(
      /^openapi\.yaml:\d+:\d+ {2}the example violates its schema/,
    );
    expect(await findingsOf(BIG, config('error'))).toEqual([found]);
    expect(await findingsOf(BIG, config('warn'))).toEqual([
      expect.stringContaining('  warning: the example violates its schema'),
    ]);
    expect(await findingsOf(BIG, config('off'))).toEqual([]);
  });

  it('names the rules that apply to one contract of several', async () => {
    const config = (root: string) =>
      `apis: { toys: { root: ${root}, rules: { operation-summary: error } } }\n`;
    expect(await findingsOf(WITHOUT_SUMMARY, config('./openapi.yaml'))).toEqual([
      expect.stringMatching(/\(operation-summary\)$/),
    ]);
    expect(await findingsOf(WITHOUT_SUMMARY, config('other.yaml'))).toEqual([]);
  });

  it('is accompanied by a file of ignored problems', async () => {
    const pointer = '#/paths/~1toys/post/summary';
    const ignored = `openapi.yaml: { operation-summary: ["${pointer}"] }\n`;
    const found = await findingsOf(WITHOUT_SUMMARY);
    expect(found).toEqual([expect.stringMatching(/\(operation-summary\)$/)]);
    const files = { ...WITHOUT_SUMMARY, '.redocly.lint-ignore.yaml': ignored };
    expect(await findingsOf(files)).toEqual([]);
  });

  it('loads the plugins of its project', async () => {
    const plugin = `export default () => ({ id: 'own', rules: { oas3: { title: () => ({
      Info: (info, { report, location }) => report({ message: info.title, location }) }) } } });`;
    const config = 'plugins: [./own.mjs]\nrules: { own/title: warn }\n';
    const files = { 'openapi.yaml': SOURCE, 'own.mjs': plugin };
    expect(await findingsOf(files, config)).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+:\d+ {2}warning: Toys? .*\(own\/title\)$/),
    ]);
  });

  it('gets a warning with the location of an unknown rule', async () => {
    const config = `${STRICT}rules:\n  operation-descripton: error\n`;
    expect(await findingsOf({ 'openapi.yaml': SOURCE }, config)).toEqual([
      expect.stringMatching(/^redocly\.yaml:4:3 {2}warning: .*`operation-descripton`/),
    ]);
  });

  it.each([
    ['[', /^redocly\.yaml {2}unexpected end .*$/],
    ['plugins: [./none.js]', /^redocly\.yaml {2}Plugin "\.\/none\.js" not found\.$/],
    ['extends: [stubwright/strict]', /^redocly\.yaml {2}.*plugin stubwright is not included\.$/],
  ])('is rejected in one line: %s', async (config, message) => {
    await expect(findingsOf({ 'openapi.yaml': SOURCE }, config)).rejects.toThrow(message);
  });
});

describe('lintContract', () => {
  it('reports the file of a finding in a contract of several files', async () => {
    const files = edited(
      'schema:\n              $ref: "#/components/schemas/NewToy"',
      'schema:\n              $ref: schemas/NewToy.yaml',
    );
    files['schemas/NewToy.yaml'] =
      'type: object\ndescription: d\nproperties:\n  Id: {type: integer}\n';
    const found = await findingsOf(files);
    expect(found).toContainEqual(
      'schemas/NewToy.yaml:4:3  "Id" should use camelCase  (rule/property-style)',
    );
  });

  it('reports only the errors of a contract that does not load', async () => {
    const found = await findingsOf(edited('bearerAuth: []', 'bearer: []'));
    expect(found).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+:\d+ {2}the security scheme bearer is unknown/),
    ]);
  });

  it('applies the rules to YAML that other parsers reject', async () => {
    const flow = 'x-flow: {\n  a: [\n1\n  ] }\n';
    expect(await findingsOf({ 'openapi.yaml': SOURCE + flow })).toEqual([]);
  });
});

describe('stubwright check', () => {
  it('has no lint rules without redocly.yaml, and validates examples', async () => {
    using project = createToyProject();
    const plain = SOURCE.replaceAll('storeToy', 'store_toy');
    project.write('openapi.yaml', plain.replace(/ {2}license:\n(?: {4}.*\n)+/, ''));
    expect(await project.run('check')).toEqual({
      ...{ status: 0, out: 'openapi.yaml: 2 operations, 0 errors, 0 warnings\n', err: '' },
    });
    project.write('openapi.yaml', plain.replace('value: { id: 2, name', 'value: { id: two, name'));
    expect(await project.run('check')).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /warning: the example violates its schema: \/id expected an int64 integer {2}\(no-invalid-media-type-examples\)\nopenapi\.yaml: 2 operations, 0 errors, 1 warning\n$/,
      ),
    });
  });

  it.each([
    ['error', 'error', 1],
    ['warn', 'warning', 0],
  ])('reports violations of the specification as struct: %s', async (severity, level, status) => {
    using project = createToyProject();
    project.write('openapi.yaml', SOURCE.replace('info:\n', 'info:\n  licence: {}\n'));
    project.write('redocly.yaml', `rules: {struct: ${severity}}\n`);
    const checked = await project.run('check', '--format', 'json');
    expect(checked.status).toBe(status);
    expect(JSON.parse(checked.out).findings).toMatchObject([{ rule: 'struct', level }]);
  });
});

describe('a pattern with exponential time in V8', () => {
  it('is not tried by the rules of Redocly, and is validated all the same', async () => {
    const text = `${'a'.repeat(5_000)}!`;
    const schema = `{type: string, pattern: '^(a+)+$', example: '${text}'}`;
    const contract = `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: {type: object, properties: {a: ${schema}}, patternProperties: {'^(b+)+$': {type: string}}}
              example: {a: '${text}', ${'b'.repeat(5_000)}c: 1}
`;
    const lines = await findingsOf({ 'a.yaml': contract }, 'extends: [recommended]\n');
    expect(lines.join('\n')).toContain('(no-invalid-media-type-examples)');
  });
});
