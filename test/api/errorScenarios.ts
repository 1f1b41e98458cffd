// Requests for the documented responses that no request example causes. The tests send them, and
// `make release` records them.
import type { ErrorScenarios } from '../../packages/cli/src/release/conversations.ts';

const RATE_LIMITED = {
  situation: 'the second request exceeds the rate limit',
  before: ['createPlant tagged'],
};

/**
 * By operation, status and name of the response's example; `*` stands for each operation that declares
 * the status. A difference to the documented request of the operation.
 */
export const errorScenarios: ErrorScenarios = {
  '* 401 missing': { headers: { Authorization: undefined } },
  '* 401 invalid': { headers: { Authorization: 'Bearer another' } },
  '* 429 tooMany': RATE_LIMITED,
  '* 500 unforeseen': { situation: 'the store fails' },
  '* 503 storeAway': { situation: 'the store is unreachable' },
  '* 503 overload': { situation: 'too many requests wait' },
  'createPlant 200 retry': { before: ['createPlant tagged'] },
  'createPlant 200 charset': { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
  'createPlant 200 undeclared property': { body: '{"id":3,"name":"","height":3}' },
  'createPlant 400 schema': { body: '{"id":"1"}' },
  'createPlant 400 json': { body: '{"id":1,' },
  'createPlant 400 missing': { body: undefined },
  'createPlant 413 tooLarge': {
    body: ['{"id":1,"name":"', { repeat: 'x', times: 1024 * 1024 }, '"}'],
  },
  'createPlant 415 encoding': { headers: { 'Content-Encoding': 'gzip' } },
  'createPlant 415 mediaType': { headers: { 'Content-Type': 'text/plain' } },
};
