// Labelled changes of idempotency keys: a client of the first contract repeats its requests.
import { type ContractRow, contractOf } from './pair.ts';

const REST = 'responses: {"204": {description: a}}';
const post = (parameters: string, more = '') =>
  contractOf(
    `paths: {/orders: {post: {operationId: order, parameters: [${parameters}], ${REST}}}}${more}`,
  );
const key = (fields: string, name = 'Idempotency-Key') =>
  `{name: ${name}, in: header, schema: {type: string}${fields && `, ${fields}`}}`;
const ttl = (time: string) => `x-idempotency: {ttl: ${time}}`;
const shared = (time: string) =>
  post(
    '{$ref: "#/components/parameters/Key"}',
    `\ncomponents: {parameters: {Key: ${key(ttl(time))}}}`,
  );
const none = contractOf(`paths: {/orders: {post: {operationId: order, ${REST}}}}`);

function row(
  what: string,
  before: string,
  after: string,
  labels: string,
  why: string,
): ContractRow {
  return [`idempotency: ${what}`, before, after, labels, why];
}

// biome-ignore format: a table
export const IDEMPOTENCY_ROWS: readonly ContractRow[] = [
  row('shorter time', post(key(ttl('24h'))), post(key(ttl('1h'))), 'RC', 'A late retry acts again; a longer time only repeats more.'),
  row('shorter time of a shared parameter', shared('7d'), shared('24h'), 'RC', 'A late retry acts again.'),
  row('the same time in other units', post(key(ttl('24h'))), post(key(ttl('1d'))), 'CC', 'The same time.'),
  row('a header becomes the key', post(key('')), post(key(ttl('24h'))), 'RB', 'A client with one key for several requests gets 422. In the reverse its retries act twice.'),
  row('another header becomes the key', post(`${key(ttl('24h'))}, ${key('', 'X-Key')}`), post(`${key('')}, ${key(ttl('24h'), 'X-Key')}`), 'BB', 'The key that the client sends is ignored: its retries act twice.'),
  row('an optional key', none, post(key(ttl('24h'))), 'CB', 'The client sends no key. In the reverse its retries act twice.'),
  row('a required key', none, post(key(`required: true, ${ttl('24h')}`)), 'BB', 'The client sends no key. In the reverse its retries act twice.'),
  row('a key becomes required', post(key(ttl('24h'))), post(key(`required: true, ${ttl('24h')}`)), 'BC', 'A client may send no key.'),
  row('an announced removal', post(key(`${ttl('24h')}, deprecated: true, x-sunset: 2020-01-01`)), none, 'C-', 'The removal was announced, and its day has passed.'),
  row('a description', post(key(ttl('24h'))), post(key(`${ttl('24h')}, description: a`)), 'CC', 'Only documentation.'),
];
