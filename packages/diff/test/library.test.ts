// The package as a library: two contracts as documents and as texts, a policy, recorded requests, and each format.
import { describe, expect, it } from '@jest/globals';
import { Contract, ContractErrors } from '@stubwright/contract';
import { applyPolicy, changelogOf, changesBetween, compare, reportAs } from '@stubwright/diff';
import { releaseError } from '@stubwright/diff/versions';
import { entryOf, type TrafficRecord } from '@stubwright/traffic';
import { Ajv } from 'ajv';

const BEFORE = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    post:
      operationId: storeToy
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {'201': {description: ok}}
  /sizes:
    get:
      responses: {'200': {description: ok, content: {application/json: {schema: {enum: [s, m, l]}}}}}
    delete:
      parameters: [{name: kind, in: query, schema: {enum: [a, b, c, d, e, f]}}]
      responses: {'204': {description: ok}}
components:
  schemas:
    Toy:
      type: object
      properties:
        name:
          type: string
          maxLength: 20
`;
const AFTER = BEFORE.replace('maxLength: 20', 'maxLength: 10')
  .replace('[s, m, l]', '[s, m, l, xl]')
  .replace('[a, b, c, d, e, f]', '[a]');
const NAME = '/components/schemas/Toy/properties/name/maxLength';

function document(version: string, schema: object): object {
  const content = { 'application/json': { schema } };
  const paths = { '/toys': { post: { requestBody: { content }, responses: { 201: {} } } } };
  return { openapi: '3.1.0', info: { title: 'Toys', version }, paths };
}

describe('two documents in memory', () => {
  const before = document('1.0.0', { type: 'string', maxLength: 20 });
  const after = document('1.1.0', { type: 'string', maxLength: 10 });
  const pointer = '/paths/~1toys/post/requestBody/content/application~1json/schema/maxLength';

  it('have additional operations in lower case', async () => {
    const copy = (description: string) => {
      const operation = { operationId: 'copy', description, responses: { 204: { description } } };
      const paths = { '/toys': { additionalOperations: { copy: operation } } };
      return { document: { openapi: '3.2.0', info: { title: 'Toys', version: '1' }, paths } };
    };
    const { findings } = await compare(copy('a'), copy('b'));
    const named = { operation: 'copy /toys', operationId: 'copy', method: 'copy', path: '/toys' };
    expect(findings[0]).toMatchObject(named);
  });

  it('are compared, with locations that are pointers', async () => {
    const { severity, findings } = await compare({ document: before }, { document: after });
    expect(severity).toBe('breaking');
    expect(findings[0]).toEqual({
      ...{ rule: 'request-max-length-narrowed', severity: 'breaking', operation: 'POST /toys' },
      ...{ operationId: null, method: 'POST', path: '/toys', direction: 'request' },
      ...{ location: 'request body', before: { pointer }, after: { pointer } },
      message: 'maxLength 20 became 10: Clients that send a string longer than 10 are refused.',
      example: {
        value: expect.stringMatching(/^"[a-z]{11}"$/),
        error: 'expected to NOT have more than 10 characters',
      },
    });
    expect(findings[1]).toMatchObject({
      rule: 'info-version-changed',
      operation: null,
      path: null,
    });
  });

  it('are named in a report', async () => {
    const comparison = await compare({ document: before, file: 'old' }, { document: after });
    expect(reportAs(comparison, 'text')).toContain(`old#${pointer} -> revision#${pointer}\n`);
    expect(reportAs(comparison, 'github')).toContain('::error title=request-max-length-narrowed::');
  });

  it('need another version, unless the policy lowers the severity', () => {
    const [was, is] = [before, after].map((each) => ({ definition: new Contract(each) }));
    const changes = changesBetween(was!, is!);
    const error = (severities: Readonly<Record<string, 'compatible'>>) =>
      releaseError(
        applyPolicy(changes, { severities, ignore: [] }).changes,
        was!.definition,
        is!.definition,
      );
    expect(error({})).toBe('1 breaking change since 1.0.0: expected none, or info.version 2.0.0');
    expect(error({ 'request-max-length-narrowed': 'compatible' })).toBeUndefined();
    const title = { name: 'Toys', before: '1.0.0', after: '1.1.0' };
    expect(changelogOf(changes, title)).toContain('# Toys: 1.0.0 → 1.1.0');
  });
});

describe('two texts', () => {
  const texts = [{ text: BEFORE, file: 'api/toys.yaml' }, { text: AFTER }] as const;

  it('are compared, with lines and columns', async () => {
    const { findings } = await compare(...texts);
    expect(findings.find(({ rule }) => rule === 'request-max-length-narrowed')).toMatchObject({
      ...{ operation: 'POST /toys', operationId: 'storeToy', direction: 'request' },
      before: { file: 'api/toys.yaml', line: 22, column: 11, pointer: NAME },
      after: { file: 'revision', line: 22, column: 11, pointer: NAME },
    });
    expect(findings.find(({ operation }) => operation === 'GET /sizes')).toMatchObject({
      ...{ rule: 'response-enum-value-added', direction: 'response', location: 'response 200' },
    });
  });

  it('may be JSON', async () => {
    const text = (is: number) =>
      JSON.stringify(document('1.0.0', { type: 'string', maxLength: is }), null, 2);
    const { findings } = await compare({ text: text(20) }, { text: text(10) });
    expect(findings[0]!.after).toMatchObject({ file: 'revision', line: 15 });
  });

  it('are equal, without changes', async () => {
    const { severity, findings } = await compare(texts[0], texts[0]);
    expect([severity, findings]).toEqual(['none', []]);
  });

  it('may have errors of operations, which are not compared', async () => {
    const wrong = BEFORE.replace('{enum: [s, m, l]}', '{enum: 7}');
    const { warnings } = await compare({ text: wrong }, texts[1]);
    expect(warnings.join()).toContain('warning: not compared, for an error: base:11:');
    const later = await compare(texts[0], { text: wrong });
    expect(later.warnings.join()).toContain('warning: not compared, for an error: revision:11:');
    expect(later.findings.map(({ rule }) => rule)).toContain('operation-not-compared');
    const other = BEFORE.replace(/openapi: .*/, 'openapi: 2.0.0');
    await expect(compare(texts[0], { text: other })).rejects.toThrow(ContractErrors);
  });

  it('may have an error in one version of OpenAPI only', async () => {
    const textOf = (openapi: string) => `
openapi: ${openapi}
info: {title: Toys, version: '1'}
paths: {/toys: {get: {}}, /sizes: {get: {responses: {'200': {description: ok}}}}}
`;
    const { findings } = await compare({ text: textOf('3.0.3') }, { text: textOf('3.1.0') });
    expect(findings.map(({ rule, operation }) => [rule, operation])).toContainEqual([
      'operation-not-compared',
      'GET /toys',
    ]);
  });

  it('have no other files', async () => {
    const text = AFTER.replace('#/components/schemas/Toy', 'toy.yaml');
    const { warnings } = await compare(texts[0], { text });
    expect(warnings.join()).toContain('revision:7:');
  });
});

describe('the options of a comparison', () => {
  const texts = [{ text: BEFORE }, { text: AFTER }] as const;

  it('have a policy', async () => {
    const ignore = [
      {
        ...{ rule: 'request-max-length-narrowed', change: '*', location: `#${NAME}` },
        ...{ reason: 'short', expires: '2999-01-01', at: 'policy.yaml:1:1' },
      },
      {
        ...{ rule: 'operation-removed', change: '*', location: 'GET /none', reason: 'a' },
        ...{ expires: '2999-01-01', at: 'policy.yaml:2:1' },
      },
    ];
    const severities = { 'response-enum-value-added': 'compatible' } as const;
    const { findings, ignored, warnings } = await compare(...texts, {
      policy: { severities, ignore },
    });
    expect(ignored).toBe(1);
    expect(warnings).toEqual([
      'policy.yaml:2:1  warning  operation-removed at GET /none is no change, expected no entry',
    ]);
    expect(
      findings.filter(({ severity }) => severity === 'breaking').map(({ rule }) => rule),
    ).toEqual(Array(5).fill('request-enum-value-removed'));
  });

  it('have recorded requests', async () => {
    async function* recorded(): AsyncGenerator<TrafficRecord> {
      const postData = { mimeType: 'application/json', text: '{"name":"a long long name"}' };
      const request = { method: 'POST', url: '/toys', headers: [], postData };
      const entry = { startedDateTime: '2025-01-01T00:00:00Z', _caller: 'web', request };
      yield { file: 'a.jsonl', entry: entryOf(entry, undefined)! };
    }
    const { findings, recording } = await compare(...texts, { traffic: recorded() });
    expect(recording).toBe('1 recorded request in 1 day, 0 not of the first contract');
    const { traffic } = findings.find(({ operationId }) => operationId === 'storeToy')!;
    expect(traffic).toEqual({
      text: 'breaks web (1 request, last 2025-01-01)',
      isUsed: true,
      callers: [{ caller: 'web', count: 1, last: '2025-01-01T00:00:00.000Z' }],
    });
  });
});

describe('a written comparison', () => {
  const comparing = compare({ text: BEFORE, file: 'old.yaml' }, { text: AFTER, file: 'new.yaml' });

  it('has every change as JSON, SARIF and JUnit', async () => {
    const comparison = await comparing;
    const { severity, changes } = JSON.parse(reportAs(comparison, 'json'));
    expect([severity, changes]).toEqual(['breaking', comparison.findings]);
    const sarif = JSON.parse(reportAs(comparison, 'sarif'));
    expect(sarif.runs[0].results).toHaveLength(comparison.changes.length);
    expect(reportAs(comparison, 'junit').match(/<testcase/g)).toHaveLength(
      comparison.changes.length,
    );
  });

  it('has one entry for the values of one enum as text, Markdown and annotations', async () => {
    const comparison = await comparing;
    const folded =
      'the value "b" was removed, the value "c" was removed, the value "d" was removed and 2 more';
    expect(reportAs(comparison, 'text')).toContain(`${folded}: Clients that send "b" are refused.`);
    expect(reportAs(comparison, 'markdown')).toContain(`${folded}. Clients`);
    const annotations = reportAs(comparison, 'github').trim().split('\n');
    expect(annotations.filter((line) => line.includes('request-enum-value-removed'))).toHaveLength(
      1,
    );
    expect(annotations.join()).toContain(folded);
  });

  it('has at most so many causes as text, and counts the others', async () => {
    const text = reportAs(await comparing, 'text', { maxCauses: 1, isSummarized: false });
    expect(text.match(/^breaking /gm)).toHaveLength(1);
    expect(text).toMatch(/\n\nand 2 more\n\n$/);
  });

  it('shows the replaced lines of breaking changes as Markdown', async () => {
    expect(reportAs(await comparing, 'markdown')).toContain(`

  \`\`\`diff
  - maxLength: 20
  + maxLength: 10
  \`\`\`
`);
  });
});

it('findings are described by types that their values have', async () => {
  const location = {
    type: 'object',
    required: ['pointer'],
    additionalProperties: false,
    properties: {
      ...{ pointer: { type: 'string' }, file: { type: 'string' } },
      ...{ line: { type: 'integer' }, column: { type: 'integer' } },
    },
  };
  const text = { type: 'string' };
  const optional = { type: ['string', 'null'] };
  const schema = {
    type: 'object',
    required: ['rule', 'severity', 'operation', 'operationId', 'method', 'path', 'direction'],
    additionalProperties: false,
    properties: {
      ...{ rule: text, severity: text, operation: optional, operationId: optional },
      ...{ method: optional, path: optional, direction: optional, location: text, message: text },
      ...{ before: location, after: location, example: { type: ['object', 'null'] } },
    },
  };
  const { findings } = await compare({ text: BEFORE }, { text: AFTER });
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  for (const each of findings) expect([validate(each), validate.errors]).toEqual([true, null]);
});
