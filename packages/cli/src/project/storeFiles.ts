// The files of a project that keeps data: `init --store`.
import type { Contract } from '@stubwright/contract';
import { literal, nameOf } from './names.ts';
import { handlerPath } from './operationFiles.ts';
import { type StoredColumn, type StoredOperation, storedOperation } from './storedRows.ts';
import { template, type Values } from './templates.ts';

export const STORES = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof STORES)[number];

/** The range of the peer dependency of @stubwright/store. */
export const PG_RANGE = '^8.23.1';

const SQL_TYPES = {
  int64: 'bigint',
  integer: 'bigint',
  text: 'text',
  float64: 'double precision',
  boolean: 'boolean',
} as const;

/** Without an operation whose request body is a row. */
const EXAMPLE = {
  table: 'entries',
  key: 'id',
  columns: new Map<string, StoredColumn>([
    ['id', { type: 'text', isOptional: false }],
    ['value', { type: 'text', isOptional: true }],
  ]),
};

export interface ProjectStore {
  readonly operation: StoredOperation | undefined;
  readonly values: Values;
  readonly notes: readonly string[];
}

export function projectStore(definition: Contract, store: StoreName, name: string): ProjectStore {
  const operation = storedOperation(definition);
  const { table, key, columns } = operation ?? EXAMPLE;
  const schema = nameOf(name).toLowerCase().replace(/^_+/, 'service_');
  const shown = [...columns].map(
    ([column, { type, isOptional }]) => `${column}: "${type}${isOptional ? '?' : ''}"`,
  );
  const definitions = [...columns].map(
    ([column, { type, isOptional }]) =>
      `  "${column}" ${SQL_TYPES[type]}${isOptional ? '' : ' NOT NULL'}${column === key ? ' PRIMARY KEY' : ''}`,
  );
  const oneLine = shown.join(', ');
  return {
    operation,
    values: {
      ...{ table, key, schema },
      // As Prettier breaks a line of more than 80 characters.
      columns:
        oneLine.length > 64 ? `\n${shown.map((each) => `    ${each},\n`).join('')}  ` : oneLine,
      definitions: definitions.join(',\n'),
      keyType: columns.get(key)?.type === 'int64' ? 'bigint' : 'string',
      databaseUrl: store === 'sqlite' ? `sqlite:${name}.db` : `postgres://localhost/${schema}`,
    },
    notes:
      operation === undefined
        ? [
            'no handler stores: no request body is an object of strings, numbers and booleans with a key',
          ]
        : [],
  };
}

export function storingHandler(
  { operationId, table, key, status, repliesBody }: StoredOperation,
  name: string,
): [path: string, text: string] {
  const values = { operation: operationId, operationId: literal(operationId), name, table, key };
  const reply = repliesBody ? `status: ${status}, body` : `status: ${status}`;
  return [handlerPath(name), template('operation/storingHandler.ts', { ...values, reply })];
}
