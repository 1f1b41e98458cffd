// Writes the entry of a generated package with queries of TanStack Query.
import type { Contract, Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { expressionOf, stringLiteral } from '../code.ts';
import { type ClientOperation, summaryOf, typeOf, wrappersOf } from '../declarations.ts';
import { mediaCategory } from '../mediaCategory.ts';

/** The libraries that cache replies. */
export type QueryLibrary = 'tanstack';

const READS = ['get', 'head', 'query'];
const STREAMS = ['events', 'lines', 'mixed'];

interface QueryOptions {
  readonly library: QueryLibrary;
  /** The first part of all keys: the name of the package. */
  readonly scope: string;
}

/**
 * Operations whose successes are all streams have no query: a cache would keep a stream that is read once.
 *
 * @returns query.js and query.d.ts
 */
export function queryFiles(
  definition: Contract,
  operations: readonly ClientOperation[],
  { library, scope }: QueryOptions,
): ReadonlyMap<string, string> {
  const validators = new Validators(definition, 'response');
  const written = operations.filter(({ operation }) => !isStream(operation, validators));
  const wrappers = wrappersOf(written);
  const entry = `'@stubwright/client/${library}'`;
  const calls = written.map((each) => {
    const more = each.pages ?? (kindOf(each) === 'headQuery' ? 'headers' : undefined);
    const last = more === undefined ? '' : `, ${expressionOf(more)}`;
    const call = kindOf(each) === 'headQuery' ? 'query' : kindOf(each);
    return `export const ${each.name} = /* @__PURE__ */ api.${call}(${stringLiteral(scope)}, functions.${each.name}${last});\n`;
  });
  const types = written.map((each) => {
    return `${summaryOf(each)}export declare const ${each.name}: api.${TYPES[kindOf(each)]}<${typeOf(each)}>;\n`;
  });
  const js = `import * as api from ${entry};\nimport * as functions from './index.js';\n\n`;
  const wrapped =
    wrappers.length === 0
      ? ''
      : `import type { ${wrappers.join(', ')} } from '@stubwright/client';\n`;
  const declarations = `${wrapped}import type * as api from ${entry};\nimport type { operations } from './contract.js';\n\n`;
  const isEmpty = written.length === 0;
  return new Map([
    ['query.js', isEmpty ? 'export {};\n' : js + calls.join('')],
    ['query.d.ts', isEmpty ? 'export {};\n' : declarations + types.join('')],
  ]);
}

const TYPES = {
  query: 'Query',
  headQuery: 'HeadQuery',
  pagedQuery: 'PagedQuery',
  mutation: 'Mutation',
};

function kindOf({ operation: { method }, pages }: ClientOperation): keyof typeof TYPES {
  if (pages !== undefined) return 'pagedQuery';
  if (method === 'head') return 'headQuery';
  return READS.includes(method) ? 'query' : 'mutation';
}

function isStream({ responses }: Operation, validators: Validators): boolean {
  const successes = [...responses].filter(([status]) => status.startsWith('2'));
  const used = successes.length > 0 ? successes : [...responses];
  const contents = used.flatMap(([, response]) => [...response.contents]);
  return (
    contents.length > 0 &&
    contents.every(([type, each]) => STREAMS.includes(mediaCategory(type, each, validators)))
  );
}
