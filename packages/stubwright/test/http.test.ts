// Requests outside every contract, beside those of packages/service/test/http.test.ts, and the documents.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { Docs } from '../../service/src/docs/docs.ts';
import { undeclaredResponse } from '../src/internals.ts';
import { loadedContract } from './support/contract.ts';

let toy: Toy;

beforeAll(async () => {
  toy = await serveToy(
    '3.1.0',
    "paths: {/x: {get: {operationId: get, responses: {'204': {description: ok}}}}}",
  );
});
afterAll(() => toy.close());

describe('a request outside the contract', () => {
  it.each<[string, number, string[]]>([
    ['a long target', 414, [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a', '', '']],
    ['OPTIONS *', 204, ['OPTIONS * HTTP/1.1', 'Host: a', 'Connection: close', '', '']],
    ['an answer', 204, ['GET /x HTTP/1.1', 'Host: a', 'Connection: close', '', '']],
  ])('%s is %i', async (_, status, lines) => {
    const bytes = lines.join('\r\n');
    const answer = parseAnswer(await readAll(openConnection(toy.url, bytes)));
    const { headers } = answer;
    const shown = [answer.status, headers['x-content-type-options'], headers.connection];
    expect(shown).toEqual([status, 'nosniff', 'close']);
    if (lines[0]!.startsWith('OPTIONS')) expect(headers.allow).toContain('OPTIONS');
  });
});

describe('the documents', () => {
  const site = new Docs({
    ...loadedContract({ paths: {} }),
    serverUrl: undefined,
    prefix: '/v1',
    reject: undeclaredResponse as never,
  });
  const ask = (url: string, headers = {}) =>
    site.respond({ method: 'GET', url, headers } as Parameters<Docs['respond']>[0]);

  it('return 304 without Content-Type, and 412 for an If-Match that fails', async () => {
    const { ETag = '', ...first } = (await ask('/v1/docs'))!.headers;
    expect(first['Content-Type']).toMatch(/^text\/html/);
    const unchanged = (await ask('/v1/docs', { 'if-none-match': ETag }))!;
    expect([unchanged.status, unchanged.headers['Content-Type']]).toEqual([304, undefined]);
    expect((await ask('/v1/docs', { 'if-match': '"other"' }))!.status).toBe(412);
    for (const tag of [ETag, '*', `"other", ${ETag}`]) {
      expect((await ask('/v1/docs', { 'if-match': tag }))!.status).toBe(200);
    }
  });

  it.each([
    ['/v1/docs/', '*/*', '/v1/docs'],
    ['/v1/', 'text/html,application/xhtml+xml', '/v1/docs'],
    ['/v1/', 'application/json', undefined],
    ['/v1/', undefined, undefined],
  ])('redirect %s with Accept %s to %s', async (url, accept, location) => {
    const answer = await ask(url, accept === undefined ? {} : { accept });
    expect(answer?.headers['Location']).toBe(location);
    expect(answer?.status).toBe(location === undefined ? 404 : 302);
  });
});
