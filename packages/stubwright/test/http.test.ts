// Requests outside every contract: what HTTP itself asks of a server, and the documents.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { Docs } from '../../service/src/docs/docs.ts';
import { undeclaredResponse } from '../src/response/errorFormat.ts';

let toy: Toy;

beforeAll(async () => {
  toy = await serveToy(
    '3.1.0',
    `
paths:
  /x: {get: {operationId: get, responses: {'204': {description: ok}}}}
  /small: {post: {operationId: post, requestBody: {content: {application/json: {schema: {}}}}, responses: {'204': {description: ok}}}}
`,
    { bodyLimitBytes: 10 },
  );
});
afterAll(() => toy.close());

async function exchange(...lines: string[]) {
  return parseAnswer(await readAll(openConnection(toy.url, lines.join('\r\n'))));
}

describe('a request outside the contract', () => {
  it.each<[string, number, string[]]>([
    ['an unknown method', 501, ['FOO /x HTTP/1.1', 'Host: a', '', '']],
    ['HTTP/2.0 in the request line', 505, ['GET /x HTTP/2.0', 'Host: a', '', '']],
    ['the preface of HTTP/2', 505, ['PRI * HTTP/2.0', '', 'SM', '', '']],
    ['a long target', 414, [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a', '', '']],
    ['large headers', 431, ['GET /x HTTP/1.1', `Host: a`, `X: ${'x'.repeat(20_000)}`, '', '']],
    [
      'another transfer coding',
      501,
      ['POST /small HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked', '', ''],
    ],
    ['OPTIONS *', 204, ['OPTIONS * HTTP/1.1', 'Host: a', 'Connection: close', '', '']],
    [
      'a body that is too large',
      413,
      [
        'POST /small HTTP/1.1',
        'Host: a',
        'Content-Type: application/json',
        'Content-Length: 11',
        '',
        '"123456789"',
      ],
    ],
    [
      'a request that is answered',
      204,
      ['GET /x HTTP/1.1', 'Host: a', 'Connection: close', '', ''],
    ],
  ])('%s is %i', async (_, status, lines) => {
    const { status: got, headers } = await exchange(...lines);
    expect([got, headers['x-content-type-options'], headers.connection]).toEqual([
      status,
      'nosniff',
      'close',
    ]);
    if (lines[0]!.startsWith('OPTIONS')) expect(headers.allow).toContain('OPTIONS');
  });
});

describe('the documents', () => {
  const definition = new Contract({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {},
  });
  const site = new Docs({
    definition,
    publish: async () => ({ text: '', servers: [0, 0] as const }),
    serverUrl: undefined,
    prefix: '/v1',
    reject: undeclaredResponse,
  } as ConstructorParameters<typeof Docs>[0]);
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
