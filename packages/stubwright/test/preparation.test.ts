import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Definition } from '../src/document/definition.ts';
import { Preparation } from '../src/schema/preparation.ts';
import type { Validators } from '../src/schema/validator.ts';

const CONTRACT = `
openapi: 3.1.0
paths:
  /toys:
    post:
      parameters: [{name: p, in: query, schema: {$ref: '#/components/schemas/Leaf'}}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Tree'}}}}
      responses:
        '200': {headers: {h: {schema: {type: string}}}, content: {application/json: {schema: {items: {$ref: '#/components/schemas/Tree'}}}}}
        default: {content: {application/json: {schema: {$ref: '#/nowhere'}}}}
components:
  schemas:
    Tree: {properties: {leaf: {$ref: '#/components/schemas/Branch'}, left: {$ref: '#/components/schemas/Tree'}}}
    Branch: {allOf: [{$ref: '#/components/schemas/Leaf'}]}
    Leaf: {type: integer}
`;

/** Records which validators are compiled, by pointer. */
function recording(): { validators: Validators; pointers: string[] } {
  const pointers: string[] = [];
  const at = (pointer: string) =>
    void pointers.push(pointer.replace(/^\/components\/schemas\//, ''));
  return { validators: { at } as unknown as Validators, pointers };
}

describe('Preparation', () => {
  const definition = new Definition(parse(CONTRACT));
  const [operation] = definition.operations;

  it('compiles what a schema refers to before the schema, and each once', async () => {
    const { validators, pointers } = recording();
    const preparation = new Preparation(definition, validators, recording().validators);
    const prepared = preparation.request(operation!);
    expect(preparation.request(operation!)).toBe(prepared);
    await prepared;
    expect(preparation.request(operation!)).toBeUndefined();
    const first = [...new Set(pointers)];
    const body = '/paths/~1toys/post/requestBody/content/application~1json/schema';
    expect(first.indexOf('Leaf')).toBeLessThan(first.indexOf('Branch'));
    expect(first.indexOf('Branch')).toBeLessThan(first.indexOf(body));
    expect(first.indexOf('Tree')).toBeLessThan(first.indexOf(body));
    expect(first).toContain('/paths/~1toys/post/parameters/0/schema');
  });

  it('compiles a schema that an inner one refers to after what else that holds', async () => {
    const { validators, pointers } = recording();
    await new Preparation(definition, validators, validators).request(operation!);
    expect(pointers.indexOf('Branch')).toBeLessThan(pointers.indexOf('Tree'));
  });

  it('compiles the response of one status', async () => {
    const { validators, pointers } = recording();
    const preparation = new Preparation(definition, recording().validators, validators);
    await preparation.response(operation!, 200);
    expect(preparation.response(operation!, 200)).toBeUndefined();
    expect(pointers).toContain('/paths/~1toys/post/responses/200/headers/h/schema');
    expect(pointers.filter((pointer) => pointer.includes('default'))).toEqual([]);
  });

  it('leaves a schema that does not compile to its first use', async () => {
    const { validators } = recording();
    const preparation = new Preparation(definition, validators, validators);
    await expect(preparation.response(operation!, 500)).resolves.toBeUndefined();
  });

  it('yields to the event loop between schemas', async () => {
    const turns: string[] = [];
    const slow = { at: () => block(12) } as unknown as Validators;
    const prepared = new Preparation(definition, slow, slow).request(operation!)!;
    setImmediate(() => turns.push('other work'));
    await prepared.then(() => turns.push('prepared'));
    expect(turns).toEqual(['other work', 'prepared']);
  });
});

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
