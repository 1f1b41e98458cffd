// The files of a project that keeps data: `init --store`.
import type { Contract } from '@stubwright/contract';
import { literal, nameOf } from './names.ts';
import { handlerPath } from './operationFiles.ts';
import { type StoredOperation, storedOperation } from './storedRows.ts';
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
