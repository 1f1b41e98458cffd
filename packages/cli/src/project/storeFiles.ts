// The files of a project that keeps data: `init --store`.

import {
  type Content,
  type Contents,
  type Contract,
  isJsonMediaType,
  type Operation,
  propertiesOf,
  type Schema,
} from '@stubwright/contract';
import { literal, nameOf } from './names.ts';
import { handlerPath } from './operationFiles.ts';
import { type TemplateSet, template, type Values } from './templates.ts';

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

const IDEMPOTENCY = `
CREATE TABLE stubwright_idempotency (
  id text NOT NULL PRIMARY KEY, fingerprint text NOT NULL, status integer NOT NULL, headers text NOT NULL,
  body bytea, expires_at bigint NOT NULL
);
CREATE INDEX stubwright_idempotency_expiry ON stubwright_idempotency (expires_at);`;

const OUTBOX = `
CREATE TABLE stubwright_outbox (
  id text NOT NULL PRIMARY KEY, name text NOT NULL, url text NOT NULL, method text NOT NULL, type text,
  body text NOT NULL, due_at bigint, attempts bigint NOT NULL DEFAULT 0, failure text
);
CREATE INDEX stubwright_outbox_due ON stubwright_outbox (due_at) WHERE due_at IS NOT NULL;`;

export interface ProjectStore {
  readonly operation: StoredOperation | undefined;
  readonly sets: readonly TemplateSet[];
  readonly values: Values;
  readonly notes: readonly string[];
}

/** With the tables that the contract needs: of a body that is a row, else of the transactions of requests. */
export function projectStore(definition: Contract, store: StoreName, name: string): ProjectStore {
  const hasKeys = definition.operations.some(({ idempotency }) => idempotency !== undefined);
  const hasWebhooks = definition.outgoing.size > 0;
  // Their responses and messages are stored in a transaction, beside which SQLite makes no other write.
  const operation = hasKeys || hasWebhooks ? undefined : storedOperation(definition);
  const schema = nameOf(name).toLowerCase().replace(/^_+/, 'service_');
  const databaseUrl = store === 'sqlite' ? `sqlite:${name}.db` : `postgres://localhost/${schema}`;
  if (operation !== undefined) {
    const values = { ...rowValues(operation), schema, databaseUrl };
    return { operation, sets: ['store', 'rows'], values, notes: [] };
  }
  return {
    operation,
    sets: ['store', 'transactions', ...(hasWebhooks ? (['webhooks'] as const) : [])],
    values: {
      ...transactionValues(hasKeys, hasWebhooks),
      ...{ schema, databaseUrl },
      tables: (hasKeys ? IDEMPOTENCY : '') + (hasWebhooks ? OUTBOX : ''),
    },
    notes: ['no handler stores: write its tables to migrations/, its statements to src/handlers/'],
  };
}

function rowValues({ table, key, columns }: StoredOperation): Values {
  const shown = [...columns].map(
    ([column, { type, isOptional }]) => `${column}: "${type}${isOptional ? '?' : ''}"`,
  );
  const definitions = [...columns].map(
    ([column, { type, isOptional }]) =>
      `  "${column}" ${SQL_TYPES[type]}${isOptional ? '' : ' NOT NULL'}${column === key ? ' PRIMARY KEY' : ''}`,
  );
  const oneLine = shown.join(', ');
  return {
    ...{ table, key },
    // As Prettier breaks a line of more than 80 characters.
    columns:
      oneLine.length > 64 ? `\n${shown.map((column) => `    ${column},\n`).join('')}  ` : oneLine,
    tables: `\nCREATE TABLE "${table}" (\n${definitions.join(',\n')}\n);`,
    keyType: columns.get(key)?.type === 'int64' ? 'bigint' : 'string',
  };
}

/** The lines of src/service.ts and src/handlers/services.ts. */
function transactionValues(hasKeys: boolean, hasWebhooks: boolean): Values {
  const ofWebhooks = {
    webhookTypes: `import type { Webhooks } from "stubwright/webhooks";
import type { webhooks as Hooks } from "../../generated/contract.ts";
`,
    webhookProperty: '\n  readonly webhooks: Webhooks<Hooks, StoreTransaction>;',
    webhookImport: `\nimport {
  openWebhooks,
  readWebhookSettings,
  type WebhookSettings,
} from "./webhooks.ts";`,
    webhookSettings: '\n    ...readWebhookSettings(env),',
    types: '\n  Opened,\n  Settings & DatabaseSettings & WebhookSettings,\n  Services\n',
    openedWebhooks: `
    const webhooks = await openWebhooks(context, store);
    const services = { store, webhooks };
    return { ...resources, services, close: () => webhooks.stop() };`,
  };
  const without = Object.fromEntries(Object.keys(ofWebhooks).map((name) => [name, '']));
  const opened = {
    openedWebhooks: '\n    return { ...resources, services: { store } };',
    types: 'Opened, Settings & DatabaseSettings, Services',
  };
  return {
    ...(hasWebhooks ? ofWebhooks : { ...without, ...opened }),
    storeImport: hasKeys
      ? 'import { type DataStore, storeIdempotency } from "@stubwright/store";'
      : 'import type { DataStore } from "@stubwright/store";',
    idempotency: hasKeys
      ? `
  idempotency: ({ store }) =>
    storeIdempotency(store, ({ transaction }: Services) => transaction),`
      : '',
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

type StoredType = 'int64' | 'integer' | 'text' | 'float64' | 'boolean';

interface StoredColumn {
  readonly type: StoredType;
  readonly isOptional: boolean;
}

export interface StoredOperation {
  readonly operationId: string;
  readonly table: string;
  readonly key: string;
  readonly columns: ReadonlyMap<string, StoredColumn>;
  readonly status: number;
  /** True if the request body is a valid response body; false without one. */
  readonly repliesBody: boolean;
}

const METHODS = new Set(['post', 'put']);
const NAME = /^[A-Za-z_]\w*$/;

/** @returns the first such operation of the contract */
export function storedOperation(definition: Contract): StoredOperation | undefined {
  for (const operation of definition.operations) {
    const found = METHODS.has(operation.method) ? rowOf(operation) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function rowOf(operation: Operation): StoredOperation | undefined {
  const { requestBody, request, operationId, path, errors } = operation;
  if (requestBody?.isRequired !== true || errors.length > 0) return undefined;
  const body = jsonSchema(request);
  const columns = body && columnsOf(body);
  if (columns === undefined) return undefined;
  const key = keyOf(columns);
  const reply = replyOf(operation, columns, body!);
  if (key === undefined || reply === undefined) return undefined;
  const segments = path.split('/').filter((part) => part !== '' && !part.includes('{'));
  // The key first.
  const ordered = new Map([[key, columns.get(key)!], ...columns]);
  const table = nameOf(segments.at(-1) ?? operationId);
  return { operationId, table, key, columns: ordered, ...reply };
}

/** @returns the schema of a body whose only media type is JSON */
function jsonSchema({ entries }: Contents<Content>): Schema | undefined {
  const [only, ...others] = entries;
  if (only === undefined || others.length > 0 || !isJsonMediaType(only.key)) return undefined;
  const { schema } = only.content;
  return schema?.ref ?? schema;
}

/** @returns undefined for an object that has other properties than scalars, or alternatives */
function columnsOf(body: Schema): Map<string, StoredColumn> | undefined {
  if (!body.conjuncts.every(isPlain) || !hasOnlyType(body, 'object')) return undefined;
  const required = requiredOf(body);
  const columns = new Map<string, StoredColumn>();
  for (const [name, schema] of propertiesOf(body)) {
    const type = typeOf(schema);
    if (type === undefined || !NAME.test(name)) return undefined;
    columns.set(name, { type, isOptional: !required.has(name) });
  }
  return columns;
}

function keyOf(columns: ReadonlyMap<string, StoredColumn>): string | undefined {
  const isKey = ({ type, isOptional }: StoredColumn) =>
    !isOptional && (type === 'int64' || type === 'text');
  const keys = [...columns].filter(([, column]) => isKey(column)).map(([name]) => name);
  return keys.find((name) => name === 'id') ?? keys[0];
}

/** @returns the lowest declared success, if the request body is a valid response body, or it has none */
function replyOf(
  { responses }: Operation,
  columns: ReadonlyMap<string, StoredColumn>,
  body: Schema,
): Pick<StoredOperation, 'status' | 'repliesBody'> | undefined {
  const [code] = [...responses.keys()].filter((key) => /^2\d\d$/.test(key)).sort();
  if (code === undefined) return undefined;
  const response = responses.get(code)!;
  const status = Number(code);
  if ([...response.headers.values()].some(({ isRequired }) => isRequired)) return undefined;
  if (response.contents.size === 0) return { status, repliesBody: false };
  const schema = jsonSchema(response.contents);
  const isReply = schema !== undefined && accepts(schema, columns, body);
  return isReply ? { status, repliesBody: true } : undefined;
}

function accepts(reply: Schema, columns: ReadonlyMap<string, StoredColumn>, body: Schema): boolean {
  const sent = propertiesOf(body);
  const required = requiredOf(reply);
  return (
    reply.conjuncts.every(isPlain) &&
    hasOnlyType(reply, 'object') &&
    [...required].every((name) => columns.get(name)?.isOptional === false) &&
    [...propertiesOf(reply)].every(([name, schema]) => {
      const own = sent.get(name);
      return own === undefined || own.pointer === schema.pointer || isEqual(own, schema);
    })
  );
}

function isEqual(one: Schema, other: Schema): boolean {
  return JSON.stringify(one.written) === JSON.stringify(other.written);
}

function typeOf(schema: Schema): StoredType | undefined {
  const { conjuncts } = schema;
  if (!conjuncts.every(isPlain)) return undefined;
  if (conjuncts.some(({ keywords }) => keywords.readOnly || keywords.writeOnly)) return undefined;
  const formats = conjuncts.map(({ keywords }) => keywords.format);
  if (hasOnlyType(schema, 'string')) return 'text';
  if (hasOnlyType(schema, 'boolean')) return 'boolean';
  if (hasOnlyType(schema, 'number')) return 'float64';
  if (hasOnlyType(schema, 'integer')) return formats.includes('int64') ? 'int64' : 'integer';
  return undefined;
}

function isPlain(schema: Schema): boolean {
  const alternatives = ['oneOf', 'anyOf', 'not', 'if', '$dynamicRef'] as const;
  return !alternatives.some((keyword) => schema.has(keyword));
}

function hasOnlyType({ conjuncts }: Schema, type: string): boolean {
  const typed = conjuncts.flatMap(({ types }) => (types === undefined ? [] : [[...types]]));
  return typed.length > 0 && typed.every((types) => types.length === 1 && types[0] === type);
}

function requiredOf({ conjuncts }: Schema): Set<string> {
  return new Set(conjuncts.flatMap(({ keywords }) => (keywords.required as string[]) ?? []));
}
