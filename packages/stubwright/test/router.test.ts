// Path templates: their precedence, and matching in linear time.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import { serveToy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { Router } from '../src/pipeline/router.ts';
import { segmentTemplate } from '../src/pipeline/segmentTemplate.ts';

const OK = "responses: {'204': {description: ok}}";

function routerOf(...paths: string[]): Router {
  const get = (path: string) => ({ get: { operationId: path, responses: {} } });
  const items = Object.fromEntries(paths.map((path) => [path, get(path)]));
  const { operations } = new Contract({ openapi: '3.1.0', paths: items });
  return new Router(operations, undefined);
}

describe('a path template', () => {
  it.each([
    ['/{page}.{format}', '/{page}t.{format}', '/at.json', '/{page}t.{format}'],
    ['/{page}.{format}', '/{page}t.{format}', '/as.json', '/{page}.{format}'],
    ['/{x}', '/{x}.json', '/a.json', '/{x}.json'],
    ['/{x}', '/v{x}', '/v1', '/v{x}'],
    ['/{a}/b', '/a/{b}', '/a/b', '/a/{b}'],
    ['/{a}/{b}', '/{a}/b', '/a/b', '/{a}/b'],
    ['/{x}', '/{x}\u200e', '/a%E2%80%8E', '/{x}\u200e'],
    ['/{x}', '/{x} é', '/a%20%C3%A9', '/{x} é'],
  ])('%s and %s: %s belongs to %s', (first, second, path, expected) => {
    for (const router of [routerOf(first, second), routerOf(second, first)]) {
      expect(router.match('GET', path)!.operation.path).toBe(expected);
    }
  });

  it.each(['a/b', 'xa/b', '*a/b', 'x/a/b', 'a', ''])(
    'has no match for %j without a slash',
    (path) => {
      const router = routerOf('/{a}/{b}', '/a/{b}', '/{a}');
      expect(router.match('GET', path)).toBeUndefined();
      expect(router.allowed(path)).toEqual([]);
    },
  );

  it.each(['/%', '/%zz', '/a%E0%A4', '/%2f%', '/%C3'])(
    'takes the malformed escape of %s as text',
    (path) => {
      expect(routerOf('/a', '/{x}').match('GET', path)!.params).toEqual({ x: path.slice(1) });
      expect(routerOf('/a', '/b/{x}').match('GET', path)).toBeUndefined();
    },
  );

  it('precedes a later one with as much literal text', () => {
    const router = routerOf('/{a}-{b}', '/{a}.{b}');
    expect(router.match('GET', '/x-y.z')!.operation.path).toBe('/{a}-{b}');
  });

  it('matches what a backtracking regular expression matches', () => {
    const literal = fc.stringMatching(/^[-.a]{0,2}$/);
    const segment = fc.stringMatching(/^[-.ab]{0,12}$/);
    fc.assert(
      fc.property(fc.array(literal, { minLength: 2, maxLength: 5 }), segment, (literals, text) => {
        const source = literals.map((each) => each.replaceAll('.', '\\.')).join('(.+?)');
        const expected = new RegExp(`^${source}$`).exec(text)?.slice(1);
        expect(segmentTemplate(literals.join('{x}')).match(text)).toEqual(expected);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is matched in linear time', () => {
    const router = routerOf('/x/{a}-{b}-{c}.json', '/{a}/{b}-{c}-{d}-{e}.xml', '/{x}{y}{z}.a');
    // A backtracking match of so many dashes takes hours.
    expect(router.match('GET', `/x/${'-'.repeat(1_000_000)}`)).toBeUndefined();
    const { params } = router.match('GET', `/x/${'-.xml'.repeat(100_000)}`)!;
    expect(params['e']!.length).toBe(499_980);
    expect(router.allowed(`/${'%2d'.repeat(1_000_000)}`)).toEqual([]);
  });
});

describe('a concrete path', () => {
  const PETS = `
paths:
  /pet/findByStatus: {get: {operationId: find, ${OK}}}
  /pet/{petId}: {get: {operationId: read, ${OK}}, post: {operationId: update, ${OK}}}
`;

  it.each([
    ['GET', '/pet/findByStatus', 204, null],
    ['POST', '/pet/findByStatus', 405, 'GET, HEAD, OPTIONS'],
    ['POST', '/pet/find%42yStatus', 405, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '/pet/findByStatus', 204, 'GET, HEAD, OPTIONS'],
    ['POST', '/pet/1', 204, null],
    ['DELETE', '/pet/1', 405, 'GET, POST, HEAD, OPTIONS'],
  ])('excludes templates: %s %s is %i', async (method, path, status, allow) => {
    const toy = await serveToy('3.0.3', PETS);
    const answer = await toy.fetch(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
    await toy.close();
  });

  it('of two servers takes the methods of both', () => {
    const definition = new Contract({
      openapi: '3.1.0',
      paths: {
        '/a/b': { servers: [{ url: '/' }], get: { operationId: 'get', responses: {} } },
        '/b': { servers: [{ url: '/a' }], put: { operationId: 'put', responses: {} } },
        '/{x}': { servers: [{ url: '/a' }], post: { operationId: 'post', responses: {} } },
      },
    });
    const router = new Router(definition.operations, undefined);
    expect(router.allowed('/a/b')).toEqual(['GET', 'PUT', 'HEAD', 'OPTIONS']);
    expect(router.match('PUT', '/a/b')?.operation.operationId).toBe('put');
    expect(router.match('POST', '/a/b')).toBeUndefined();
  });
});
