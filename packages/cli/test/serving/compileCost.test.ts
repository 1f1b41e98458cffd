// What the types of a served version add to the work of the compiler, on a contract of 281 operations.
import { expect, it } from '@jest/globals';
import { isObject } from '@stubwright/contract';
import ts from 'typescript';
import { parseText } from '../../src/loading/parse.ts';
import { versionTypes } from '../../src/serving/versionTypes.ts';
import { generateTypes } from '../../src/types/generateTypes.ts';
import { contractOf, programOf } from './compiled.ts';

const OPERATIONS = 281;
/** Each component belongs to 7 operations. */
const COMPONENTS = 40;
const CHANGED = 8;
const HANDLERS = `import type { HandlersOf } from 'stubwright';
import type { operations } from '../generated/contract.ts';
declare const handlers: HandlersOf<operations, undefined>;
export const replies: readonly unknown[] = [${Array.from({ length: OPERATIONS }, (_, at) => `handlers.get${at}`).join(', ')}];
`;

function contract(name: string): string {
  const operations = Array.from({ length: OPERATIONS }, (_, at) => {
    const schema = `{$ref: '#/components/schemas/Toy${at % COMPONENTS}'}`;
    const content = `content: {application/json: {schema: ${schema}}}`;
    return `  /toys${at}/{id}:
    put:
      operationId: get${at}
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}, {name: limit, in: query, schema: {type: integer}}]
      requestBody: {required: true, ${content}}
      responses: {200: {description: ok, ${content}}, 404: {description: none}}
`;
  });
  const components = Array.from({ length: COMPONENTS }, (_, at) => {
    const own = at < CHANGED ? name : 'name';
    return `    Toy${at}: {type: object, required: [id, ${own}], properties: {id: {type: integer, format: int64}, ${own}: {type: string}, tags: {type: array, items: {type: string}}, state: {enum: [new, used]}}}
`;
  });
  return `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
${operations.join('')}components:
  schemas:
${components.join('')}`;
}

function documentOf(text: string): Parameters<typeof generateTypes>[1] {
  const { value } = parseText(text, false) as { value: unknown };
  if (!isObject(value)) throw new Error('expected a contract');
  return value;
}

it('is at most a fifth of the instantiations', () => {
  const [older, newer] = [contractOf(contract('name')), contractOf(contract('title'))];
  const converters = 'src/versions/1.0.0.ts';
  const { text } = versionTypes({ version: '1.0.0', older, newer });
  const schemas = Array.from({ length: CHANGED }, (_, at) => {
    return `Toy${at}: { toNew: ({ name, ...rest }) => ({ ...rest, title: name }), toOld: ({ title, ...rest }) => ({ ...rest, name: title }) },`;
  });
  const ofContract = [
    ['generated/contract.ts', generateTypes('openapi.yaml', documentOf(contract('title')))],
    ['src/handlers.ts', HANDLERS],
  ] as const;
  const ofVersion = [
    ['generated/versions/1.0.0.ts', text],
    [
      converters,
      `import type { Converters } from '../../generated/versions/1.0.0.ts';
export const converters = { schemas: { ${schemas.join('\n')} } } satisfies Converters;\n`,
    ],
  ] as const;
  const instantiations = (files: readonly (readonly [string, string])[]) => {
    const program = programOf(new Map(files));
    expect(ts.getPreEmitDiagnostics(program)).toEqual([]);
    return program.getInstantiationCount();
  };
  const alone = instantiations(ofContract);
  const both = instantiations([...ofContract, ...ofVersion]);
  expect(both / alone).toBeLessThan(1.2);
});
