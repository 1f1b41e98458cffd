// Boundaries of what contracts declare: dates, base paths, numbers, pages and credentials.
import { describe, expect, it } from '@jest/globals';
import {
  COUNT,
  Contract,
  errorFrom,
  exactIntegers,
  likeType,
  normalizedBasePath,
  numberViolation,
  outsideReferences,
  pageRulesOf,
  SHARE,
  textHash,
  timeOf,
  tokensOf,
  unresolvedDynamicRefs,
  withServers,
} from '@stubwright/contract';
import { concreteType, credentialsFor } from '@stubwright/contract/values';

describe('tokensOf', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/a~1b/~01/0', ['a/b', '~1', '0']],
  ])('reads %j', (pointer, tokens) => {
    expect(tokensOf(pointer)).toEqual(tokens);
  });
});

describe('timeOf', () => {
  it.each([
    ['1970-01-02', 86_400_000],
    ['1970-01-01T00:00:01Z', 1000],
    ['1970-01-01t01:00:00.5+01:00', 500],
    ['1969-12-31T23:59:60z', 0],
    ['2026-02-30', undefined],
    ['1970-01-01T24:00:00Z', undefined],
    ['1970-01-01T00:00:00', undefined],
    [0, undefined],
  ])('reads %j', (date, time) => {
    expect(timeOf(date)).toBe(time);
  });
});

describe('normalizedBasePath', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['a/b//', '/a/b'],
    ['/a', '/a'],
    ['/a.b', '/a.b'],
    ['/a/..', undefined],
    ['./a', undefined],
    ['//a', undefined],
    ['http://a', undefined],
    ['/a?b', undefined],
    ['/a b', undefined],
    ['/a#b', undefined],
    ['.', undefined],
    ['/{version}', '/{version}'],
    [1, undefined],
    [null, undefined],
  ])('of %j is %j', (path, expected) => {
    expect(normalizedBasePath(path)).toBe(expected);
  });
});

function basePathsOf(...servers: object[]) {
  const paths = { '/a': { get: { responses: {} } } };
  return new Contract({ openapi: '3.1.0', info: {}, servers, paths }).operations[0]!.basePaths;
}

describe('the base paths of servers', () => {
  const variable = (count: number) => ({
    default: '0',
    enum: Array.from({ length: count }, (_, at) => String(at)),
  });

  it.each<[object, readonly string[]]>([
    [{ url: 'https://a.example/v1/' }, ['/v1']],
    [{ url: '/a/./b/%2e%2E/c#d' }, ['/a/c']],
    [{ url: '/{a}', variables: { a: { default: 'x', enum: ['y', 'x'] } } }, ['/x', '/y']],
    [{ url: '/{a}', variables: { a: { default: 'x' } } }, ['/x', '/{a}']],
    [{ url: '/{a}', variables: { a: { default: 'x/y' } } }, ['/x/y']],
    [{ url: '/v{a}', variables: { a: { default: '1' } } }, ['/v1']],
    [{ url: '../{a}/x', variables: { a: { default: 'v1' } } }, ['/v1/x', '/{a}/x']],
    [{ url: '.' }, ['']],
    [{ url: './' }, ['']],
    [{ url: '/' }, ['']],
    [{ url: './api' }, ['/api']],
    [{ url: 'api' }, ['/api']],
    [{ url: '../../v2/./b/' }, ['/v2/b']],
    [{ url: '/a/..' }, ['']],
    [{ url: '//h.example/a' }, ['/a']],
    [{ url: 'https://h.example?x=/y' }, ['']],
    // A name that is no URL.
    [{ url: '<local-address>' }, ['/<local-address>']],
  ])('%j', (server, paths) => {
    expect(basePathsOf(server)).toEqual(paths);
  });

  it('are at most 100 for each server', () => {
    const variables = { a: variable(9), b: variable(9) };
    expect(basePathsOf({ url: '/{a}/{b}', variables })).toHaveLength(81);
    const [more, most] = [
      { a: variable(10), b: variable(10) },
      { a: variable(99), b: variable(1) },
    ];
    expect(basePathsOf({ url: '/{a}/{b}', variables: more })).toEqual(
      more.a.enum.map((each) => `/${each}/{b}`),
    );
    expect(basePathsOf({ url: '/{a}', variables: { a: variable(100) } })).toEqual(['/{a}']);
    expect(basePathsOf({ url: '/{a}/{b}', variables: most })).toEqual(
      most.a.enum.map((each) => `/${each}/{b}`),
    );
  });
});

describe('likeType', () => {
  it.each<[unknown, unknown, unknown]>([
    [1, 'a', '1'],
    [1n, 'a', '1'],
    [true, 'a', true],
    ['-5', 0, -5],
    ['9007199254740991', 0n, 9007199254740991],
    ['9007199254740993', 0, 9007199254740993n],
    ['01', 0, '01'],
    ['1', true, '1'],
  ])('gives %j the type of %j', (value, before, expected) => {
    expect(likeType(value, before)).toBe(expected);
  });
});

it('keeps integers of documents exact below 2^64', () => {
  const written = { a: [2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 64, 0.5] };
  const exact = { a: [2 ** 53 - 1, 2n ** 53n, -(2n ** 53n), 2 ** 64, 0.5] };
  expect(exactIntegers(written)).toEqual(exact);
});

it('replaces the servers of the document, its path items and operations', () => {
  const servers = [{ url: '/a' }];
  const inner = { servers, summary: 'a' };
  const item = { ...inner, get: inner, additionalOperations: { LOCK: inner, b: 1 } };
  const document = { openapi: '3.2.0', info: {}, servers, paths: { '/a': item } };
  const own = { summary: 'a' };
  expect(withServers(document, [{ url: '/b' }])).toEqual({
    ...{ openapi: '3.2.0', info: {}, servers: [{ url: '/b' }] },
    paths: { '/a': { ...own, get: own, additionalOperations: { LOCK: own, b: 1 } } },
  });
});

it('hashes text with the line endings of Unix', () => {
  const [dos, unix, other] = ['a\r\nb', 'a\nb', 'a\rb'].map((text) => textHash(Buffer.from(text)));
  expect([dos === unix, dos === other]).toEqual([true, false]);
});

describe('numberViolation', () => {
  it.each([
    [undefined, COUNT, undefined],
    [0, COUNT, undefined],
    [-1, COUNT, 'a: got -1, expected an integer from 0 to 9007199254740991'],
    [0.5, COUNT, 'a: got 0.5, expected an integer from 0 to 9007199254740991'],
    [0.5, SHARE, undefined],
    [1, SHARE, undefined],
    [1.5, SHARE, 'a: got 1.5, expected a number from 0 to 1'],
    [Number.NaN, SHARE, 'a: got NaN, expected a number from 0 to 1'],
    ['1', SHARE, "a: got '1', expected a number from 0 to 1"],
  ])('of %j', (value, range, expected) => {
    expect(numberViolation('a', value, range)).toBe(expected);
  });
});

it('describes what was thrown', () => {
  const error = new Error('a');
  const unreadable = Object.defineProperty(new Error('a'), 'message', { value: 1 });
  expect(errorFrom(error)).toBe(error);
  expect(errorFrom('b').message).toBe("expected an Error to be thrown, got 'b'");
  expect(errorFrom(unreadable)).not.toBe(unreadable);
});

describe('references', () => {
  const document = (schemas: object, self?: string) => ({
    ...{ openapi: '3.1.0', components: { schemas } },
    ...(self !== undefined && { $self: self }),
  });

  it('to other documents are listed once, without fragments', () => {
    const other = 'https://b.example/c#/d';
    const schemas = { A: { $ref: other }, B: { $ref: other }, C: { $ref: '#/components' } };
    expect(outsideReferences(document(schemas))).toEqual(['https://b.example/c']);
  });

  it('that are dynamic and lead nowhere are reported', () => {
    const schemas = {
      A: { $dynamicAnchor: 'a', items: { $dynamicRef: '#a' } },
      B: { $dynamicRef: '#/components/schemas/A' },
      C: { $dynamicRef: '#c' },
    };
    expect(unresolvedDynamicRefs(document(schemas))).toEqual([
      ['/components/schemas/C/$dynamicRef', '#c'],
    ]);
  });
});

describe('the pages of an operation', () => {
  const rulesOf = (limit: object, next: object, required: readonly string[] = []) => {
    const items = { type: 'array', items: {}, maxItems: 50 };
    const schema = { type: 'object', required, properties: { items, next } };
    const parameters = [
      { name: 'limit', in: 'query', schema: { type: 'integer', ...limit } },
      { name: 'after', in: 'query', schema: { type: 'string' } },
    ];
    const get = {
      'x-pagination': {
        ...{ kind: 'cursor', parameter: 'after', size: 'limit' },
        ...{ items: '/items', next: '/next' },
      },
      parameters,
      responses: { 200: { content: { 'application/json': { schema } } } },
    };
    const paths = { '/a': { get } };
    return pageRulesOf(new Contract({ openapi: '3.1.0', info: {}, paths }).operations[0]!);
  };

  it.each([
    [{}, [50, 50]],
    [{ maximum: 20 }, [20, 20]],
    [{ maximum: 20, default: 30 }, [20, 20]],
    [{ maximum: 90, default: 30 }, [30, 50]],
    [{ maximum: 0.5 }, [50, 50]],
  ])('have the sizes of %j', (limit, sizes) => {
    const rules = rulesOf(limit, { type: 'string' });
    expect([rules?.defaultSize, rules?.maxSize]).toEqual(sizes);
  });

  it.each([
    [{ type: 'string' }, [], 'string', undefined],
    [{ type: 'string' }, ['next'], 'string', ''],
    [{ type: ['string', 'null'] }, ['next'], 'string', null],
    [{ type: 'integer', format: 'int64' }, [], 'bigint', undefined],
    [{ type: 'integer' }, [], 'number', undefined],
  ])('end by %j, required %j', (next, required, nextType, end) => {
    expect(rulesOf({}, next, required)).toMatchObject({ nextType, end, start: 0 });
  });
});

describe('credentialsFor', () => {
  const securitySchemes = {
    basic: { type: 'http', scheme: 'Basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    digest: { type: 'http', scheme: 'digest' },
    oauth: { type: 'oauth2' },
    query: { type: 'apiKey', in: 'query', name: 'k' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'k' },
  };
  const bearer = { in: 'header', name: 'Authorization', texts: ['Bearer a&b'] };

  it.each<[readonly object[], readonly object[]]>([
    [[], []],
    [[{ basic: [] }], [{ ...bearer, texts: ['Basic dXNlcjphJmI='] }]],
    [
      [
        { basic: [], bearer: [] },
        { bearer: [], oauth: [] },
      ],
      [bearer, bearer],
    ],
    [[{ digest: [] }, { oauth: [] }], [bearer]],
    [[{ unknown: [] }, { cookie: [] }], [{ in: 'cookie', name: 'k', texts: ['k=a&b'] }]],
    [[{ query: [] }], [{ in: 'query', name: 'k', texts: ['k=a%26b'] }]],
  ])('%j', (security, expected) => {
    const paths = { '/a': { get: { security, responses: {} } } };
    const definition = new Contract({
      ...{ openapi: '3.1.0', info: {}, paths, components: { securitySchemes } },
    });
    expect(credentialsFor(definition.operations[0]!, definition, 'a&b')).toEqual(expected);
  });
});

it('names a media type in a range', () => {
  const keys = ['*/*', 'text/*', 'image/*', 'a/b', 'a/b; p="*"'];
  expect(keys.map((key) => concreteType(key, 'x'))).toEqual([
    ...['text/plain; charset=utf-8', 'text/plain; charset=utf-8', 'image/octet-stream'],
    ...['a/b', 'a/b; p="*"'],
  ]);
});
