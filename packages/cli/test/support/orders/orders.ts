// The handlers of openapi.yaml beside this file, on SQLite: the service assigns all ids.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Services {
  readonly database: DatabaseSync;
}

type Row = Record<string, string>;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS customers (id TEXT PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, customerId TEXT, note TEXT);
CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, orderId TEXT, text TEXT);
CREATE TABLE IF NOT EXISTS carts (id TEXT PRIMARY KEY);
`;

/** @param path of the database, which may have been used before */
export async function open(path: string) {
  const database = new DatabaseSync(path);
  database.exec(SCHEMA);
  const store = { isReady: async () => true, waiting: 0, close: async () => database.close() };
  return { services: { database }, store };
}

const problem = <Status extends number>(status: Status, detail: string) =>
  ({ status, type: 'application/problem+json', body: { status, detail } }) as const;
const missing = () => problem(404, 'nothing has this id');

function row({ database }: Services, table: string, id: string): Row | undefined {
  return database.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(id) as Row | undefined;
}

interface CustomerBody {
  readonly body: { readonly name: string };
}

export async function createCustomer({ body: { name } }: CustomerBody, services: Services) {
  const { database } = services;
  if (database.prepare('SELECT 1 FROM customers WHERE name = ?').get(name) !== undefined) {
    return problem(409, 'the name is taken');
  }
  const id = randomUUID();
  database.prepare('INSERT INTO customers VALUES (?, ?)').run(id, name);
  return { status: 201, body: { id, name } } as const;
}

interface CustomerPath {
  readonly path: { readonly customerId: string };
}

export async function getCustomer({ path }: CustomerPath, services: Services) {
  const found = row(services, 'customers', path.customerId);
  if (found === undefined) return missing();
  return { status: 200, body: { id: found['id']!, name: found['name']! } } as const;
}

interface OrderQuery {
  readonly query: { readonly customerId: string };
}

export async function listOrders({ query: { customerId } }: OrderQuery, services: Services) {
  const statement = services.database.prepare('SELECT * FROM orders WHERE customerId = ?');
  const found = statement.all(customerId) as Row[];
  if (found.length === 0) return missing();
  return { status: 200, body: found.map((each) => ({ id: each['id']!, customerId })) } as const;
}

interface OrderBody {
  readonly body: { readonly customerId: string; readonly note?: string | undefined };
}

export async function createOrder({ body: { customerId, note } }: OrderBody, services: Services) {
  if (row(services, 'customers', customerId) === undefined) {
    return problem(422, 'no customer has this id');
  }
  const id = randomUUID();
  services.database
    .prepare('INSERT INTO orders VALUES (?, ?, ?)')
    .run(id, customerId, note ?? null);
  return { status: 201, body: { data: { id, customerId } } } as const;
}

interface OrderPath {
  readonly path: { readonly orderId: string };
}

export async function getOrder({ path }: OrderPath, services: Services) {
  const found = row(services, 'orders', path.orderId);
  if (found === undefined) return missing();
  return { status: 200, body: { id: found['id']!, customerId: found['customerId']! } } as const;
}

export async function deleteOrder({ path }: OrderPath, { database }: Services) {
  const { changes } = database.prepare('DELETE FROM orders WHERE id = ?').run(path.orderId);
  return changes === 0 ? missing() : ({ status: 204 } as const);
}

export async function getInvoice(_: OrderPath, _services: Services) {
  return problem(404, 'the order is not paid');
}

interface FileForm extends OrderPath {
  readonly body: { readonly file: Blob; readonly title: string };
}

export async function addFile({ path: { orderId }, body }: FileForm, services: Services) {
  if (row(services, 'orders', orderId) === undefined) return missing();
  const id = randomUUID();
  const text = `${body.title}: ${await body.file.text()}`;
  services.database.prepare('INSERT INTO files VALUES (?, ?, ?)').run(id, orderId, text);
  return { status: 201, headers: { Location: `/v1/orders/${orderId}/files/${id}` } } as const;
}

interface FilePath {
  readonly path: { readonly orderId: string; readonly fileId: string };
}

export async function getFile({ path: { orderId, fileId } }: FilePath, services: Services) {
  const found = row(services, 'files', fileId);
  if (found?.['orderId'] !== orderId) return missing();
  return { status: 200, body: found['text']! } as const;
}

export async function openCart(_: object, { database }: Services) {
  const id = randomUUID();
  database.prepare('INSERT INTO carts VALUES (?)').run(id);
  return { status: 201, body: { secret: { text: id } } } as const;
}

interface CartPath {
  readonly path: { readonly cart: string };
}

export async function getCart({ path }: CartPath, services: Services) {
  return row(services, 'carts', path.cart) === undefined
    ? missing()
    : ({ status: 200, body: {} } as const);
}
