// The declarations of generated clients and services compile, whatever refers to what.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import ts from 'typescript';
import { clientPackage } from '../../src/client/clientPackage.ts';
import { generateTypes } from '../../src/types/generateTypes.ts';
import { readmeSource } from '../support/readmeSource.ts';

const COUNT = 40;

const folder = temporaryFolder();
afterAll(() => folder.remove());
mkdirSync(join(folder.path, 'node_modules/@stubwright'), { recursive: true });
symlinkSync(resolve('packages/client'), join(folder.path, 'node_modules/@stubwright/client'));
writeFileSync(join(folder.path, 'package.json'), '{"type": "module"}');

/** @returns the errors under `strict` of all files, with the declarations of libraries checked */
function errorsOf(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    ...{ strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] },
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file?.text.slice(0, start).split('\n').length;
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${file?.fileName}:${line} ${text}\n${file?.text.split('\n')[line! - 1]}`;
  });
}

/** @returns the files of the client, and the types of a service, as modules */
async function write(name: string, document: Node): Promise<string[]> {
  const target = join(folder.path, name);
  mkdirSync(target);
  const { files } = await clientPackage('a.yaml', { document });
  const sources = new Map(
    [...files].filter(([file]) => file.endsWith('.d.ts') || file === 'index.js'),
  );
  sources.set('readme.ts', readmeSource(files.get('README.md')!));
  sources.set('service.ts', generateTypes('a.yaml', document));
  for (const [file, text] of sources) writeFileSync(join(target, file), text);
  return [...sources.keys()]
    .filter((file) => file !== 'index.js')
    .map((file) => join(target, file));
}

const KINDS = ['list', 'map', 'union', 'all', 'tuple'] as const;
type Kind = (typeof KINDS)[number];

/** The schemas within a component that references may lead to. */
const WITHIN: Readonly<Record<Kind, readonly string[]>> = {
  ...{ list: [], map: [], tuple: [] },
  union: ['/oneOf/1'],
  all: ['/allOf/0', '/allOf/1', '/allOf/1/properties/items'],
};

function componentOf(kind: Kind, refs: readonly Node[]): Node {
  const [one, other] = refs;
  switch (kind) {
    case 'list':
      return { type: 'array', items: one };
    case 'map':
      return { type: 'object', additionalProperties: one };
    case 'union':
      return { oneOf: [{ type: 'string' }, { type: 'array', items: one }] };
    case 'tuple':
      return { type: 'array', prefixItems: [one, other] };
    case 'all':
      return {
        allOf: [
          { type: 'object', properties: { next: one } },
          {
            type: 'object',
            required: ['items'],
            properties: { items: { type: 'array', items: other } },
          },
        ],
      };
  }
}

/** Contracts whose components refer to each other, and into each other. */
const contracts = fc
  .array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 })
  .filter((kinds) => kinds.some((kind) => kind !== 'tuple'))
  .chain((kinds) => {
    const names = ['Blob', 'Record', 'Client', 'toy-list', 'Tree'].slice(0, kinds.length);
    const targets = kinds.flatMap((kind, at) =>
      ['', ...WITHIN[kind]].map((end) => `#/components/schemas/${names[at]}${end}`),
    );
    // A tuple has no end if its items are tuples: no value is valid.
    const ofTuples = targets.filter(
      (each) => kinds[names.indexOf(each.split('/')[3]!)] !== 'tuple',
    );
    const pairOf = (refs: readonly string[]) =>
      fc.array(
        fc.constantFrom(...refs).map(($ref) => ({ $ref })),
        { minLength: 2, maxLength: 2 },
      );
    const pairs = kinds.map((kind) => pairOf(kind === 'tuple' ? ofTuples : targets));
    return fc.tuple(fc.tuple(...pairs), pairOf(targets)).map(
      ([refs, [sent, received]]): Node => ({
        ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
        paths: {
          '/toys': {
            post: {
              operationId: 'send',
              requestBody: { required: true, content: { 'application/json': { schema: sent } } },
              responses: {
                200: { description: '', content: { 'application/json': { schema: received } } },
              },
            },
          },
        },
        components: {
          schemas: Object.fromEntries(
            kinds.map((kind, at) => [names[at]!, componentOf(kind, refs[at]!)]),
          ),
        },
      }),
    );
  });

describe('the declarations of a contract', () => {
  inTestAll(it)('compile if schemas contain themselves, and parts of others', async () => {
    const all = fc.sample(contracts, { numRuns: COUNT, seed: 41 });
    const files: string[] = [];
    for (const [at, document] of all.entries()) files.push(...(await write(`c${at}`, document)));
    expect(errorsOf(files)).toEqual([]);
  });
});
