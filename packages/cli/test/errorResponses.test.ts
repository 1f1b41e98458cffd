import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { undeclaredErrors } from '../src/check/runChecks.ts';
import { loadContractFiles, SourceLocations } from '../src/loading/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'errors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param responses as YAML in flow style @returns the warnings, without the path of the file */
async function warningsOf(responses: string, operation = '', format?: string): Promise<string[]> {
  const path = join(folder, 'openapi.yaml');
  writeFileSync(
    path,
    `openapi: 3.1.0
info: {title: Toys, version: '1'}
components:
  securitySchemes: {oauth: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.example', scopes: {read: Read}}}}}
paths:
  /toys:
    post:
      operationId: storeToy
      ${operation}
      responses: {'204': {description: stored}, ${responses}}
`,
  );
  const { definition } = await loadContractFiles(path);
  const locations = await SourceLocations.of(path, definition.document);
  return (await undeclaredErrors(definition, format)).map(({ pointer, message }) => {
    const { line, column } = locations.position(pointer);
    return `${line}:${column}  warning  ${message}`;
  });
}

const content = (schema: string) =>
  `{description: x, content: {application/json: {schema: ${schema}}}}`;
const BODY = 'requestBody: {content: {application/json: {}}}';
const SECURED = `${BODY}\n      security: [{oauth: [read]}]`;
const COUNTED = content(
  '{type: object, required: [count], additionalProperties: false, properties: {count: {type: integer}}}',
);

describe('the error responses of the engine', () => {
  it.each<[string, string, string, string[]]>([
    ['declared as default', `default: ${content('{}')}`, SECURED, []],
    [
      'without content',
      'default: {description: x}',
      '',
      [400, 500, 503].map(
        (status) =>
          `10:49  warning  response ${status}: it has no content: the message is only logged`,
      ),
    ],
    [
      'not declared',
      "'404': {description: x}",
      '',
      [
        '10:7  warning  storeToy: the engine may send 400, 500, 503, expected declared responses or default',
      ],
    ],
    [
      'not declared for a body and credentials',
      "'404': {description: x}",
      SECURED,
      [
        '11:7  warning  storeToy: the engine may send 400, 401, 403, 413, 415, 429, 500, 503, expected declared responses or default',
      ],
    ],
    [
      'without room for a message',
      `'400': ${COUNTED}, 5XX: ${content('{}')}`,
      '',
      ['10:49  warning  response 400: the schema has no room for a message: it is only logged'],
    ],
    [
      'that a sample with the message fits',
      `default: ${content('{type: object, required: [code, message], additionalProperties: false, properties: {code: {type: integer}, message: {type: string}}}')}`,
      '',
      [],
    ],
    [
      'that a sample with the message fits below another property',
      `default: ${content('{type: object, required: [error], additionalProperties: false, properties: {error: {type: object, required: [code, message], properties: {code: {enum: [a, b]}, message: {type: string}}}}}')}`,
      '',
      [],
    ],
    [
      'with a required header',
      `'400': {description: x, headers: {X-Trace: {required: true, schema: {type: string}}}}, 5XX: ${content('{}')}`,
      '',
      ['10:49  warning  response 400: the engine does not send the required headers'],
    ],
  ])('are reported: %s', async (_, responses, operation, expected) => {
    expect(await warningsOf(responses, operation)).toEqual(expected);
  });

  it('are compared in the format of the application', async () => {
    const module = join(folder, 'errors.mjs');
    writeFileSync(module, 'export default ({ message }) => ({ count: message.length });');
    expect(await warningsOf(`default: ${COUNTED}`, '', module)).toEqual([]);
    expect(await warningsOf(`default: ${COUNTED}`, '', 'numbered')).toHaveLength(3);
    await expect(warningsOf(`default: ${COUNTED}`, '', 'nothing.ts')).rejects.toThrow(
      '--errors: got nothing.ts, expected problem, numbered, or a module',
    );
  });
});
