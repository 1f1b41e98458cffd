// `stubwright check` on texts that @stubwright/store refuses.
import { expect, it } from '@jest/globals';
import { createEmptyProject } from './support/toyProject.ts';

const RULE = 'storable-text';

async function check(store: boolean, schema: string): Promise<string[]> {
  const project = createEmptyProject();
  const dependencies = store ? { '@stubwright/store': '*' } : {};
  project.write('package.json', JSON.stringify({ dependencies }));
  project.write(
    'openapi.yaml',
    `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      operationId: add
      requestBody:
        content:
          application/json:
            schema: ${schema}
      responses: {'204': {description: ok}}
`,
  );
  const { out, err } = await project.run('check');
  project.remove();
  return `${out}${err}`.split('\n').filter((line) => line.includes(RULE));
}

const object = (...schemas: string[]) =>
  `{type: object, properties: {${schemas.map((each, at) => `p${at}: ${each}`).join(', ')}}}`;

it.each([
  [object('{type: string}'), /:10:\d+ {2}warning: .*expected pattern: '\^\[\^\\x00\]\*\$' {2}\(/],
  [object("{type: [string, 'null'], maxLength: 3}"), /expected pattern/],
  [object("{type: string, pattern: '^.*$'}"), /expected pattern/],
  [object('{type: string}', '{type: string}', '{type: string}'), /, as for 2 more {2}\(/],
])('check suggests the pattern once for %s', async (schema, message) => {
  expect(await check(true, schema)).toEqual([expect.stringMatching(message)]);
  // Without the store, any text is as good as another.
  expect(await check(false, schema)).toEqual([]);
});

it.each([
  "{type: string, pattern: '^[^\\x00]*$'}",
  "{type: string, pattern: '^[a-z]+$'}",
  '{type: string, format: date}',
  '{type: string, enum: [a]}',
  '{type: integer}',
  '{}',
])('check suggests nothing for %s', async (schema) => {
  expect(await check(true, object(schema))).toEqual([]);
});
