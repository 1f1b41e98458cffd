// The dates of deprecated parts, as `stubwright check` reports them.

import { describe, expect, it } from '@jest/globals';
import { deprecationDateErrors } from '../src/check/runChecks.ts';
import { createEmptyProject } from './support/toyProject.ts';

describe('the dates of deprecated parts', () => {
  it.each([
    ['2026-06-30', []],
    ['2026-06-30T12:00:00Z', []],
    ['2026-06-30T12:00:00+02:00', []],
    ['2028-02-29', []],
    ['2026-06-30t23:59:60.5z', []],
    ['2026-02-29', ['/a/x-sunset']],
    ['2026-06-30T24:00:00Z', ['/a/x-sunset']],
    ['2026-06-30T12:00:00+24:00', ['/a/x-sunset']],
    ['2026-06-30T12:00:00', ['/a/x-sunset']],
    ['2026', ['/a/x-sunset']],
    ['2026-6-30', ['/a/x-sunset']],
    [' 2026-06-30', ['/a/x-sunset']],
    ['2026-02-30', ['/a/x-sunset']],
    ['2026-13-01', ['/a/x-sunset']],
    ['30.06.2026', ['/a/x-sunset']],
    ['soon', ['/a/x-sunset']],
    [20260630, ['/a/x-sunset']],
    ['', ['/a/x-sunset']],
  ])('%j', (date, pointers) => {
    const errors = deprecationDateErrors({ a: { deprecated: true, 'x-sunset': date } });
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('expects a sunset after the deprecation', () => {
    const dates = { 'x-deprecated-since': '2026-06-30', 'x-sunset': '2026-01-01' };
    expect(deprecationDateErrors([dates])).toEqual([
      {
        pointer: '/0/x-sunset',
        message: 'x-sunset: got 2026-01-01, expected 2026-06-30 (x-deprecated-since) or later',
      },
    ]);
  });

  it('does not read values, and reads properties that are named like them', () => {
    const bad = { 'x-sunset': 'soon' };
    expect(deprecationDateErrors({ example: bad, default: bad, enum: [bad] })).toEqual([]);
    expect(deprecationDateErrors({ properties: { example: bad } })).toHaveLength(1);
  });

  const NAMES = ['value', 'default', 'example', 'examples', 'enum', 'const', 'x-a', 'schema'];
  const bad = { deprecated: true, 'x-sunset': '2026-02-30' };
  const ok = { description: 'ok' };
  const get = (more: object) => ({
    paths: { '/a': { get: { operationId: 'a', responses: { default: ok }, ...more } } },
  });
  it.each<[string, (name: string) => object]>([
    ['a schema', (name) => ({ components: { schemas: { [name]: bad } } })],
    ['a definition', (name) => ({ components: { schemas: { a: { $defs: { [name]: bad } } } } })],
    ['a property', (name) => ({ components: { schemas: { a: { properties: { [name]: bad } } } } })],
    [
      'a dependent schema',
      (name) => ({ components: { schemas: { a: { dependentSchemas: { [name]: bad } } } } }),
    ],
    [
      'a pattern',
      (name) => ({ components: { schemas: { a: { patternProperties: { [name]: bad } } } } }),
    ],
    [
      'a parameter',
      (name) => ({ components: { parameters: { [name]: { ...bad, name, in: 'query' } } } }),
    ],
    ['a header', (name) => ({ components: { headers: { [name]: bad } } })],
    [
      'a schema of a response',
      (name) => ({
        components: { responses: { [name]: { content: { 'a/b': { schema: bad } } } } },
      }),
    ],
    [
      'a schema of a body',
      (name) => ({
        components: { requestBodies: { [name]: { content: { 'a/b': { schema: bad } } } } },
      }),
    ],
    ['a path item', (name) => ({ components: { pathItems: { [name]: { get: bad } } } })],
    ['a webhook', (name) => ({ webhooks: { [name]: { post: bad } } })],
    ['a callback', (name) => get({ callbacks: { [name]: { '{$url}': { post: bad } } } })],
    [
      'a header of a response',
      (name) => get({ responses: { default: { ...ok, headers: { [name]: bad } } } }),
    ],
    ['a method', (name) => ({ paths: { '/a': { additionalOperations: { [name]: bad } } } })],
  ])('reads %s of any name', (_, documentOf) => {
    for (const name of NAMES) {
      const errors = deprecationDateErrors({ openapi: '3.2.0', ...documentOf(name) });
      expect([name, errors.length]).toEqual([name, 1]);
    }
  });

  it('does not read a property whose name is that of the extension', () => {
    const schemas = { a: { properties: { 'x-sunset': { type: 'string' } } } };
    expect(deprecationDateErrors({ openapi: '3.1.0', components: { schemas } })).toEqual([]);
  });

  it('fails stubwright check', async () => {
    const project = createEmptyProject();
    const text = project
      .read('openapi.yaml')
      .replace(
        'operationId: getToy',
        'operationId: getToy\n      deprecated: true\n      x-sunset: soon',
      );
    project.write('openapi.yaml', text);
    const { status, out } = await project.run('check');
    project.remove();
    expect(status).toBe(1);
    expect(out).toMatch(
      /openapi.yaml:\d+:\d+ {2}x-sunset: got "soon", expected a date .*deprecation-dates/,
    );
  });
});
