// Writes the entry of a generated package with queries of TanStack Query.

import type { Contract, DeclaredResponse, Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { expressionOf, stringLiteral } from '../code.ts';
import {
  type ClientOperation,
  operationType,
  summaryOf,
  typeImport,
  wrappersOf,
} from '../declarations.ts';
import { mediaCategory } from '../textShapes.ts';

const READS = ['get', 'head', 'query'];
const STREAMS = ['events', 'lines'];

/**
 * Operations whose successes are all streams have no query: a cache would keep a stream that is read once.
 *
 * @param scope the first part of all keys: the name of the package
 */
export function queryFiles(
  definition: Contract,
  operations: readonly ClientOperation[],
  scope: string,
): ReadonlyMap<string, string> {
  const validators = new Validators(definition, 'response');
  const written = operations.filter(({ operation }) => !isStream(operation, validators));
  const calls = written.map((clientOperation) => {
    const kind = kindOf(clientOperation);
    const more = clientOperation.pages ?? PARTS[kind];
    const last = more === undefined ? '' : `, ${expressionOf(more)}`;
    const [call] = FUNCTIONS[kind];
    return `export const ${clientOperation.name} = /* @__PURE__ */ api.${call}(${stringLiteral(scope)}, functions.${clientOperation.name}${last});\n`;
  });
  const types = written.map((clientOperation) => {
    const [, type] = FUNCTIONS[kindOf(clientOperation)];
    return `${summaryOf(clientOperation)}export declare const ${clientOperation.name}: api.${type}<${operationType(clientOperation)}>;\n`;
  });
  const js = `import * as api from '@stubwright/client/tanstack';\nimport * as functions from './index.js';\n\n`;
  const wrapped = typeImport(wrappersOf(written));
  const declarations = `${wrapped}import type * as api from '@stubwright/client/tanstack';\nimport type { operations } from './contract.js';\n\n`;
  const isEmpty = written.length === 0;
  return new Map([
    ['query.js', isEmpty ? 'export {};\n' : js + calls.join('')],
    ['query.d.ts', isEmpty ? 'export {};\n' : declarations + types.join('')],
  ]);
}

type QueryKind = 'read' | 'tagged' | 'head' | 'paged' | 'write';

/** The part of a reply that is the data, if it is not the body. */
const PARTS: Readonly<Partial<Record<QueryKind, string>>> = { head: 'headers', tagged: 'tagged' };

/** The function and the type of `@stubwright/client/tanstack`. */
const FUNCTIONS: Readonly<Record<QueryKind, readonly [call: string, type: string]>> = {
  read: ['query', 'Query'],
  tagged: ['query', 'TaggedQuery'],
  head: ['query', 'HeadQuery'],
  paged: ['pagedQuery', 'PagedQuery'],
  write: ['mutation', 'Mutation'],
};

function kindOf({ operation, pages }: ClientOperation): QueryKind {
  if (pages !== undefined) return 'paged';
  if (operation.method === 'head') return 'head';
  if (!READS.includes(operation.method)) return 'write';
  return successesOf(operation).some(hasTag) ? 'tagged' : 'read';
}

function hasTag({ headers }: DeclaredResponse): boolean {
  return [...headers.keys()].some((name) => name.toLowerCase() === 'etag');
}

/** All responses of an operation that declares no success. */
function successesOf({ responses }: Operation): DeclaredResponse[] {
  const successes = [...responses].filter(([status]) => status.startsWith('2'));
  const used = successes.length > 0 ? successes : [...responses];
  return used.map(([, response]) => response);
}

function isStream(operation: Operation, validators: Validators): boolean {
  const contents = successesOf(operation).flatMap((response) => [...response.contents]);
  return (
    contents.length > 0 &&
    contents.every(([type, content]) => STREAMS.includes(mediaCategory(type, content, validators)))
  );
}
