// Parameters with any text: the handler receives the value of the call, or the client rejects it.

import { expect, it } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { fetchOf, generatedClient } from '../support/generatedClient.ts';

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};
const SCHEMAS: readonly Node[] = [
  { type: 'string' },
  { type: 'array', items: { type: 'string' } },
  { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
];

interface Case {
  readonly id: string;
  readonly where: string;
  readonly schema: Node;
}

const cases: Case[] = [];
const operations: Node = {};
for (const [where, styles] of Object.entries(STYLES)) {
  for (const style of styles) {
    for (const schema of SCHEMAS) {
      for (const explode of [true, false]) {
        // OpenAPI leaves the others undefined.
        if (style === 'deepObject' && (schema.type !== 'object' || !explode)) continue;
        if (style.endsWith('Delimited') && (schema.type !== 'array' || explode)) continue;
        const id = `${where}_${style}_${schema.type}_${explode}`;
        const parameter = { name: 'p', in: where, required: true, style, explode, schema };
        const path = where === 'path' ? `/${id}/{p}` : `/${id}`;
        operations[path] = {
          get: {
            operationId: id,
            parameters: [parameter],
            responses: { '204': { description: '' } },
          },
        };
        cases.push({ id, where, schema });
      }
    }
  }
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
  fc.string({
    unit: fc.constantFrom(...';,. |=&%+"\\/{}[]#?a\u00e9\t'),
    minLength: 1,
    maxLength: 4,
  }),
);
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  array: fc.array(text, { minLength: 1, maxLength: 3 }),
  object: fc.record({ a: text, b: text }),
};
/** In every style. */
const SENDABLE: Readonly<Record<string, unknown>> = {
  string: 'a',
  array: ['a', 'b'],
  object: { a: 'a', b: 'b' },
};

it.each(cases)('are exact or rejected: $id', async ({ id, where, schema }) => {
  const document = {
    openapi: '3.2.0',
    info: { title: 't', version: '1' },
    paths: Object.fromEntries(
      Object.entries(operations).filter(([path]) => path.startsWith(`/${id}`)),
    ),
  };
  let received: unknown;
  const handler = async (request: Record<string, Record<string, unknown>>) => {
    received = request[where]!['p'];
    return { status: 204 };
  };
  const serve = await fetchOf(document, { handlers: { [id]: handler } });
  const { createClient } = await generatedClient(document);
  let sent = 0;
  const client = createClient({
    baseUrl: 'http://localhost',
    fetch: async (url, init) => {
      sent++;
      return serve(url, init);
    },
  });
  await fc.assert(
    fc.asyncProperty(VALUES[schema.type]!, async (value) => {
      const before = sent;
      try {
        await client[id]!({ [where]: { p: value } });
      } catch (error) {
        expect([sent, (error as Error).name]).toEqual([before, 'TypeError']);
        return;
      }
      expect(received).toEqual(value);
    }),
    { numRuns: isTestAll ? 300 : 20, examples: [[SENDABLE[schema.type]]] },
  );
  expect(sent).toBeGreaterThan(0);
});
