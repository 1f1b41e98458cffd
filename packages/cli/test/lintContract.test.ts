// The lint rules for contracts: redocly.yaml, the preset `stubwright/strict`, the defaults.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { withFiles } from '@stubwright/test-support/contractFiles';
import { isTestAll } from '@stubwright/test-support/testAll';
import { lintContract } from '../src/check/lintContract.ts';
import plugin from '../src/check/redoclyPlugin.ts';
import { lineOf } from '../src/output/formats.ts';
import { CONTRACT, createToyProject } from './support/toyProject.ts';

const SOURCE = readFileSync(CONTRACT, 'utf8');
const PLUGIN = 'plugins: ["@stubwright/cli/redocly"]\n';
const STRICT = `${PLUGIN}extends: [stubwright/strict]\n`;

/** Lints files in a temporary folder; the first one is the contract. */
function findingsOf(files: Record<string, string>, config = STRICT): Promise<string[]> {
  return withFiles({ ...files, 'redocly.yaml': config }, async (_load, folder) => {
    const path = `${folder}/${Object.keys(files)[0]}`;
    const findings = await lintContract(path, { configPath: `${folder}/redocly.yaml` });
    return findings.map((finding) => lineOf(finding).replaceAll(`${folder}/`, ''));
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

const PAGE_SIZE = '- { name: page_size, description: d, schema: { type: string }, example: a, in:';

/** A file beside the contract, with a schema of the same name. */
const OTHER = `components:
  schemas:
    Toy: { type: object, description: d, properties: { id: { type: integer, description: d, example: 1 } } }
`;

/** A rule, an edit of the contract that violates it, and the location that is reported. */
const VIOLATIONS = [
  ['operation-operationId', 'operationId: storeToy', 'x-was: storeToy', 'post:'],
  ['operation-summary', 'summary: Store a toy', 'x-was: it', 'post:'],
  ['operation-description', 'description: |\n        Stores', 'x-was: |\n        Stores', 'post:'],
  ['rule/operation-id-style', 'storeToy', 'store_toy', 'store_toy'],
  ['rule/security-scheme-style', 'bearerAuth', 'Bearer', 'Bearer:\n      type'],
  ['rule/property-style', '        tag:\n', '        Tag:\n', 'Tag:'],
  ['rule/schema-name-style', 'NewToy', 'new_toy', 'new_toy:'],
  ['rule/response-name-style', 'Conflict', 'conflict', 'conflict:'],
  ['rule/header-component-style', 'RetryAfter', 'retryAfter', 'retryAfter:'],
  ['rule/example-name-style', '            taken:\n', '            IsTaken:\n', 'IsTaken:'],
  ['paths-kebab-case', '  /toys:\n', '  /Toys:\n', '/Toys:'],
  [
    'stubwright/examples',
    'examples:\n                tagged:\n                  summary: A toy with a tag\n                  value: { name',
    'x-was:\n                tagged:\n                  summary: A toy with a tag\n                  value: { name',
    'application/json:\n              schema:\n                $ref: "#/components/schemas/Toy"',
  ],
  [
    'stubwright/error-body',
    '      description: The id holds another toy, which stays as it was.\n      content:\n        application/json:\n          schema:\n            $ref: "#/components/schemas/Error"',
    '      description: The id holds another toy, which stays as it was.\n      content:\n        application/json:\n          schema:\n            $ref: "#/components/schemas/Toy"',
    '$ref: "#/components/schemas/Toy"\n          examples:\n            taken',
  ],
  [
    'stubwright/error-body',
    '"409":\n          $ref: "#/components/responses/Conflict"',
    '"409":\n          description: No',
    '"409":',
  ],
  [
    'stubwright/named-schemas',
    'schema:\n              $ref: "#/components/schemas/NewToy"',
    'schema:\n              { type: object, required: [id], properties: { id: { type: integer } } }',
    '{ type: object',
  ],
  ['no-invalid-media-type-examples', 'value: { id: 2, name', 'value: { id: two, name', 'two, name'],
  [
    'no-invalid-media-type-examples',
    '9223372036854775807',
    '9223372036854775808',
    '9223372036854775808',
  ],
  [
    'no-unused-components',
    '"409":\n          $ref: "#/components/responses/Conflict"',
    '"409":\n          $ref: "#/components/responses/BadRequest"',
    'Conflict:',
  ],
  ['operation-singular-tag', 'tags: [toys]', 'tags: [toys, dolls]', 'tags: [toys, dolls]'],
  ['operation-tag-defined', 'tags: [toys]', 'tags: [dolls]', 'dolls]'],
  ['parameter-description', 'description: Identification', 'x-was: Identification', 'name: id'],
  [
    'rule/query-and-path-parameter-style',
    '- name: id',
    `${PAGE_SIZE} query }\n        - name: id`,
    'page_size',
  ],
  [
    'rule/query-and-path-parameter-style',
    '- name: id',
    `${PAGE_SIZE} cookie }\n        - name: id`,
    'page_size',
  ],
  [
    'rule/parameter-component-style',
    'components:\n',
    `components:\n  parameters: { pageSize: ${PAGE_SIZE.slice(2)} query } }\n`,
    'pageSize: {',
  ],
  [
    'rule/request-body-name-style',
    'components:\n',
    'components:\n  requestBodies: { newToys: { content: { text/plain: { schema: { type: string } } } } }\n',
    'newToys: {',
  ],
  [
    'component-name-unique',
    'schema:\n              $ref: "#/components/schemas/NewToy"',
    'schema:\n              $ref: "other.yaml#/components/schemas/Toy"',
    'type: object\n      description: A toy as',
  ],
  ['spec-components-invalid-map-name', 'NewToy', 'New.Toy!', 'New.Toy!:'],
] as const;

describe('stubwright/strict', () => {
  it('has an example of each of its rules', () => {
    const { rules } = plugin().configs!['strict']!;
    const examples = new Set<string>(VIOLATIONS.map(([rule]) => rule));
    for (const rule of Object.keys(rules!)) expect(examples).toContain(rule);
  });

  it('accepts other names of header parameters', async () => {
    const header = PAGE_SIZE.replace('page_size', 'X-Page-Size');
    const found = await findingsOf(edited('- name: id', `${header} header }\n        - name: id`));
    expect(found).toEqual([]);
  });

  it('reports nothing for a contract that follows the rules', async () => {
    expect(await findingsOf({ 'openapi.yaml': SOURCE })).toEqual([]);
  });

  // Each is a run of Redocly.
  it.each(VIOLATIONS.filter((_, at) => isTestAll || at % 3 === 0))(
    'reports a violation of %s',
    async (rule, from, to, location) => {
      const files = edited(from, to);
      const found = await findingsOf({ ...files, 'other.yaml': OTHER });
      const at = locationOf(files['openapi.yaml']!, location);
      expect(found.filter((line) => line.endsWith(`  (${rule})`))).toContainEqual(
        expect.stringMatching(new RegExp(`^openapi\\.yaml:${at}  \\S.*  \\(`)),
      );
    },
  );

  it('compares error bodies with the schema of its option', async () => {
    const config = `${STRICT}rules: { stubwright/error-body: { severity: error, schema: Toy } }\n`;
    const found = await findingsOf({ 'openapi.yaml': SOURCE }, config);
    expect(found).toContainEqual(expect.stringContaining('expected the schema Toy'));
    const renamed = SOURCE.replaceAll('schemas/Error', 'schemas/Problem').replace(
      '    Error:\n',
      '    Problem:\n',
    );
    const named = `${STRICT}rules: { stubwright/error-body: { severity: error, schema: Problem } }\n`;
    expect(await findingsOf({ 'openapi.yaml': renamed }, named)).toEqual([]);
  });
});

describe('the rule stubwright/named-schemas', () => {
  const schemas = (schema: string) => ({
    'openapi.yaml': `openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /a:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: ${schema} } } }
`,
  });
  const RULE = `${PLUGIN}rules: { stubwright/named-schemas: error }\n`;
  const of = async (schema: string) =>
    (await findingsOf(schemas(schema), RULE)).filter((each) => each.includes('named-schemas'));

  it.each(['properties: {}', 'allOf: [{}]', 'oneOf: [{}]', 'anyOf: [{}]'])(
    'reports an inline schema with %s, in bodies, properties and items',
    async (keyword) => {
      const message = 'the schema has no name, expected a $ref to components';
      for (const [before, after] of [
        ['', ''],
        ['{ type: object, items: ', '}'],
        ['{ type: object, additionalProperties: { items: ', '} }'],
      ] as const) {
        const found = await of(`${before}{ ${keyword} }${after}`);
        expect(found).toEqual([expect.stringContaining(`  ${message}  (`)]);
      }
      const both = await of(`{ properties: { a: { ${keyword} } } }`);
      expect(both.map((line) => line.replace(/^.*? {2}|\(.*/g, '').trim())).toEqual([
        message,
        message,
      ]);
      expect(new Set(both).size).toBe(2);
    },
  );

  it.each(['{ type: object }', '{ items: { type: string } }', '{ type: array, items: [] }'])(
    'accepts %s',
    async (schema) => expect(await of(schema)).toEqual([]),
  );
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
    ['[', /^\S+redocly\.yaml {2}unexpected end .*$/],
    ['plugins: [./none.js]', /^\S+redocly\.yaml {2}Plugin "\.\/none\.js" not found\.$/],
    ['extends: [stubwright/strict]', /^\S+redocly\.yaml {2}.*plugin stubwright is not included\.$/],
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

describe('a discriminator mapping', () => {
  it.each([
    ['the name of a schema', 'Cat', []],
    ['a reference', '#/components/schemas/Cat', []],
    ['a name without schema', 'Cot', ['contract']],
    ['a reference to nothing', '#/components/schemas/Cot', ['contract']],
  ])('may have %s', async (_, mapped, rules) => {
    const project = createToyProject();
    try {
      const schema = `    Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: kind, mapping: { cat: '${mapped}' } } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
`;
      project.write(
        'openapi.yaml',
        SOURCE.replace(/^ {2}schemas:\n/m, (line) => line + schema),
      );
      const { out } = await project.run('check', '--format', 'json');
      const { findings } = JSON.parse(out) as { findings: { rule: string; message: string }[] };
      expect(
        findings.filter(({ rule }) => /refs|contract/.test(rule)).map(({ rule }) => rule),
      ).toEqual(rules);
    } finally {
      project.remove();
    }
  });
});

describe('stubwright check', () => {
  it('has no lint rules without redocly.yaml, and validates examples', async () => {
    const project = createToyProject();
    try {
      const plain = SOURCE.replaceAll('storeToy', 'store_toy');
      project.write('openapi.yaml', plain.replace(/ {2}license:\n(?: {4}.*\n)+/, ''));
      expect(await project.run('check')).toEqual({
        status: 0,
        out: 'openapi.yaml: 2 operations, 0 errors, 0 warnings\n',
        err: '',
      });
      project.write(
        'openapi.yaml',
        plain.replace('value: { id: 2, name', 'value: { id: two, name'),
      );
      expect(await project.run('check')).toMatchObject({
        status: 0,
        out: expect.stringMatching(
          /warning: the example violates its schema: \/id expected an int64 integer {2}\(no-invalid-media-type-examples\)\nopenapi\.yaml: 2 operations, 0 errors, 1 warning\n$/,
        ),
      });
    } finally {
      project.remove();
    }
  });

  it.each([
    ['error', 'error', 1],
    ['warn', 'warning', 0],
  ])(
    'reports violations of the specification with the severity of struct: %s',
    async (severity, level, status) => {
      const project = createToyProject();
      try {
        project.write('openapi.yaml', SOURCE.replace('info:\n', 'info:\n  licence: {}\n'));
        project.write('redocly.yaml', `rules: {struct: ${severity}}\n`);
        const { out, status: code } = await project.run('check', '--format', 'json');
        const { findings } = JSON.parse(out);
        expect({ findings, code }).toMatchObject({
          findings: [{ rule: 'struct', level }],
          code: status,
        });
      } finally {
        project.remove();
      }
    },
  );

  it('reports in one line that redocly.yaml is invalid', async () => {
    const project = createToyProject();
    try {
      project.write('redocly.yaml', 'plugins: [./none.js]\n');
      const err = 'stubwright: redocly.yaml  Plugin "./none.js" not found.\n';
      expect(await project.run('check')).toEqual({ status: 2, out: '', err });
    } finally {
      project.remove();
    }
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
