// Values of another kind than the specification demands, where no handler depends on them.
import { expect, it } from '@jest/globals';
import { ContractErrors } from '@stubwright/contract';
import { load } from 'js-yaml';
import { memoryTree } from '../../src/loading/containment.ts';
import { bundleOf } from '../../src/loading/load.ts';
import { generateTypes } from '../../src/types/generateTypes.ts';

const TEXT = `
openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {'200': {description: ok, links: {self: {operationId: post}}}}
      callbacks: {done: {'{$url}': {post: {requestBody: {content: {text/plain: {schema: {type: string}}}}}}}}
webhooks:
  made:
    parameters: [{name: q, in: query, schema: {type: integer}}]
    post:
      parameters: [{name: r, in: query, schema: {type: integer}}]
      requestBody: {content: {application/json: {schema: {properties: {name: {enum: [a]}}}}}}
      responses: {'200': {description: ok, headers: {H: {schema: {type: string}}}, content: {text/plain: {schema: {}}}}}
components:
  schemas: {Toy: {properties: {name: {type: string}}}, Unused: {items: {type: string}}}
  parameters: {P: {name: p, in: query, schema: {}}}
  headers: {H: {schema: {}}}
  requestBodies: {B: {content: {text/plain: {schema: {}}}}}
  pathItems: {I: {get: {responses: {'200': {description: ok}}}}}
`;

const OTHERS = [1, 'x', null, [], [1], { a: 1 }];

/** @yields the path of each value in a value */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  for (const [key, inner] of Object.entries(Object(value))) {
    yield [...path, key];
    if (typeof inner === 'object') yield* pathsIn(inner, [...path, key]);
  }
}

function replaced(path: readonly string[], other: unknown): string {
  const document = load(TEXT) as object;
  const holder = path.slice(0, -1).reduce((at, key) => Reflect.get(at, key), document);
  Reflect.set(holder, path.at(-1)!, other);
  return JSON.stringify(document);
}

/** @returns why no types are written; undefined for types, and for an error that `check` reports */
async function failureOf(text: string): Promise<string | undefined> {
  const sources = memoryTree('/toys', new Map([['openapi.json', text]]));
  try {
    const { document } = await bundleOf('/toys/openapi.json', '/toys', { cwd: '/toys', sources });
    generateTypes('openapi.json', document);
    return undefined;
  } catch (error) {
    return error instanceof ContractErrors ? undefined : (error as Error).message;
  }
}

it('removes them from the types', async () => {
  const paths = [...pathsIn(load(TEXT))].filter(([first]) => first !== 'openapi');
  const failures: string[] = [];
  for (const path of paths.filter((path) => path.at(-1) !== 'name')) {
    for (const other of OTHERS) {
      const failure = await failureOf(replaced(path, other));
      if (failure !== undefined)
        failures.push(`${path.join('/')} ${JSON.stringify(other)}`, failure);
    }
  }
  expect(failures).toEqual([]);
});

it('names the command that lists them, where no type can be written', async () => {
  // OpenAPI 3.0 has no webhooks: its table has no name that they need.
  const text = replaced(['webhooks', 'made', 'parameters', '0', 'name'], true);
  const failure = await failureOf(text.replace('3.1.0', '3.0.3'));
  expect(failure).toMatch(
    /^openapi-typescript: .*, expected .* no warnings: npx stubwright check$/,
  );
});
