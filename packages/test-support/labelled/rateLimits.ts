// Labelled pairs of rate limits, written before the rules: what callers may do less of is risky, what they may do more of is compatible.
import type { ContractRow } from './pair.ts';

const operation = (limit: string, security = '[{a: []}]') =>
  `paths: {/toys: {get: {security: ${security}, responses: {200: {description: ok}}${limit && `, x-rate-limit: ${limit}`}}}}
components: {securitySchemes: {a: {type: http, scheme: bearer}}}`;
const limited = (requests: number, window: string) =>
  operation(`{requests: ${requests}, window: ${window}}`);

// biome-ignore format: a table
export const RATE_LIMIT_ROWS: readonly ContractRow[] = [
  ['rate limit set', operation(''), limited(10, '1m'), 'RC', 'The eleventh request in a minute is refused after only.'],
  ['rate limit of fewer requests', limited(10, '1m'), limited(9, '1m'), 'RC', 'The tenth request in a minute is refused after only.'],
  ['rate limit of the same requests in a longer window', limited(10, '1m'), limited(10, '1h'), 'RC', 'The eleventh request in an hour is refused after only.'],
  ['rate limit of as many requests per second, in shorter windows', limited(600, '1h'), limited(10, '1m'), 'RC', 'Eleven requests at once are refused after only.'],
  ['rate limit with its window in another unit', limited(10, '1m'), limited(10, '60s'), 'CC', 'The same limit.'],
  ['rate limit of more requests in a longer window', limited(10, '1m'), limited(601, '1h'), 'CR', 'Sixty windows of ten fit into one of 601; eleven at once are refused before only.'],
  ['rate limit of fewer requests in a shorter window', limited(10, '1m'), limited(5, '10s'), 'RR', 'Six at once are refused after only, and the eleventh in a minute before only.'],
  ['rate limit of an operation that is public afterwards', limited(10, '1m'), operation('{requests: 10, window: 1m}', '[]'), 'C', 'No caller is counted.'],
  ['rate limit with its fields in another order', limited(10, '1m'), operation('{window: 1m, requests: 10}'), 'CC', 'The same limit.'],
  ['rate limit lowered together with a description', limited(10, '1m'), limited(1, '1m').replace('responses', 'description: new, responses'), 'RC', 'The second request in a minute is refused after only.'],
];
