// Writes the entry of a generated package with queries of TanStack Query or SWR.
import type { Contract, Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { expressionOf, stringLiteral } from '../code.ts';
import {
  type ClientOperation,
  operationType,
  summaryOf,
  typeImport,
  wrappersOf,
} from '../declarations.ts';
import { mediaCategory } from '../mediaCategory.ts';

export type QueryLibrary = 'tanstack' | 'swr';

const READS = ['get', 'head', 'query'];
const STREAMS = ['events', 'lines', 'mixed'];

interface QueryOptions {
  readonly library: QueryLibrary;
  /** The first part of all keys: the name of the package. */
  readonly scope: string;
}

/** Operations whose successes are all streams have no query: a cache would keep a stream that is read once. */
export function queryFiles(
  definition: Contract,
  operations: readonly ClientOperation[],
  { library, scope }: QueryOptions,
): ReadonlyMap<string, string> {
  const validators = new Validators(definition, 'response');
  const written = operations.filter(({ operation }) => !isStream(operation, validators));
  const entry = `'@stubwright/client/${library}'`;
  const functions = FUNCTIONS[library];
  const calls = written.map((each) => {
    const kind = kindOf(each);
    const more = each.pages ?? (kind === 'head' ? 'headers' : undefined);
    const last = more === undefined ? '' : `, ${expressionOf(more)}`;
    const [call] = functions[kind];
    return `export const ${each.name} = /* @__PURE__ */ api.${call}(${stringLiteral(scope)}, functions.${each.name}${last});\n`;
  });
  const types = written.map((each) => {
    const [, type] = functions[kindOf(each)];
    return `${summaryOf(each)}export declare const ${each.name}: api.${type}<${operationType(each)}>;\n`;
  });
  const js = `import * as api from ${entry};\nimport * as functions from './index.js';\n\n`;
  const wrapped = typeImport(wrappersOf(written));
  const declarations = `${wrapped}import type * as api from ${entry};\nimport type { operations } from './contract.js';\n\n`;
  const isEmpty = written.length === 0;
  return new Map([
    ['query.js', isEmpty ? 'export {};\n' : js + calls.join('')],
    ['query.d.ts', isEmpty ? 'export {};\n' : declarations + types.join('')],
  ]);
}

type QueryKind = 'read' | 'head' | 'paged' | 'write';

/** The function and the type of the entries of @stubwright/client. */
const FUNCTIONS: Readonly<Record<QueryLibrary, Readonly<Record<QueryKind, [string, string]>>>> = {
  tanstack: {
    read: ['query', 'Query'],
    head: ['query', 'HeadQuery'],
    paged: ['pagedQuery', 'PagedQuery'],
    write: ['mutation', 'Mutation'],
  },
  swr: {
    read: ['swrQuery', 'SwrQuery'],
    head: ['swrQuery', 'HeadSwrQuery'],
    paged: ['pagedSwrQuery', 'PagedSwrQuery'],
    write: ['swrMutation', 'SwrMutation'],
  },
};

function kindOf({ operation: { method }, pages }: ClientOperation): QueryKind {
  if (pages !== undefined) return 'paged';
  if (method === 'head') return 'head';
  return READS.includes(method) ? 'read' : 'write';
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
