// The pages of operations: of the contract, and of a table of the project by operationId.
import {
  type Contract,
  firstPageOf,
  isObject,
  type Operation,
  type Pagination,
  paginationErrors,
  paginationOf,
  tokensOf,
} from '@stubwright/contract';

/** Descriptions as `x-pagination`, by operationId. */
export type PaginationTable = Readonly<Record<string, unknown>>;

/** @param file of the table, for messages @returns a message for each entry that the contract does not have */
export function tableErrors(table: unknown, { operations }: Contract, file: string): string[] {
  if (!isObject(table)) return [`${file}: expected a map by operationId`];
  return Object.entries(table).flatMap(([operationId, described]) => {
    const operation = operations.find((operation) => operation.operationId === operationId);
    if (operation === undefined) {
      return [`${file}: ${operationId}: expected the operationId of an operation`];
    }
    const errors = paginationErrors(operation, described);
    return errors.map(({ message }) => `${file}: ${operationId}: ${message}`);
  });
}

/** @returns the argument of `paged` of @stubwright/client; undefined without pages */
export function pageSpecOf(operation: Operation, table: PaginationTable) {
  const { operationId } = operation;
  const pagination = Object.hasOwn(table, operationId)
    ? paginationOf(operation, table[operationId])
    : operation.pagination;
  if (pagination === undefined) return undefined;
  const { kind, items, next, more } = pagination;
  // The URL of a link has it.
  const parameter = kind === 'link' ? undefined : pagination.parameter;
  return {
    ...{ kind, parameter, start: startOf(operation, pagination), items: namesIn(items)! },
    ...{ next: namesIn(next), more: namesIn(more) },
  };
}

export type PageCode = NonNullable<ReturnType<typeof pageSpecOf>>;

/** The first page or item, if it is not the usual one. */
function startOf(operation: Operation, pagination: Pagination): number | undefined {
  const { kind } = pagination;
  if (kind !== 'page' && kind !== 'offset') return undefined;
  const first = firstPageOf(operation, pagination);
  return first === (kind === 'page' ? 1 : 0) ? undefined : first;
}

function namesIn(pointer: string | undefined): string[] | undefined {
  return pointer === undefined ? undefined : tokensOf(pointer);
}
