// The runtime expressions of OpenAPI in the URL of a callback.
import { describe, expect, it } from '@jest/globals';
import { type CallbackSource, evaluated } from '../src/runtimeExpression.ts';

const SOURCE: CallbackSource = {
  url: 'https://toys.test/toys',
  method: 'POST',
  status: 201,
  request: {
    path: { id: 1, 'a.b': 'p' },
    query: { callback: 'https://q.test' },
    header: { 'x-url': 'https://h.test' },
    body: { url: 'https://b.test', 'a/b~': [{ deep: 2n }], yes: true, none: null, list: [] },
  },
  response: { header: { location: '/toys/1' }, body: 'text' },
};

describe('a runtime expression', () => {
  it.each([
    ['$url', 'https://toys.test/toys'],
    ['$method', 'POST'],
    ['$statusCode', '201'],
    ['$request.path.id', '1'],
    ['$request.path.a.b', 'p'],
    ['$request.query.callback', 'https://q.test'],
    ['$request.header.X-URL', 'https://h.test'],
    ['$request.body#/url', 'https://b.test'],
    ['$request.body#/a~1b~0/0/deep', '2'],
    ['$request.body#/yes', 'true'],
    ['$response.header.Location', '/toys/1'],
    ['$response.body', 'text'],
    ['$response.body#', 'text'],
    ['{$request.body#/url}?id={$request.path.id}', 'https://b.test?id=1'],
    ['https://own.test/{id}', 'https://own.test/{id}'],
    ['', ''],
  ])('%s is %s', (text, value) => {
    expect(evaluated(text, SOURCE)).toBe(value);
  });

  it.each([
    ...['$request.path.none', '$request.path.toString', '$request.body#/url/x'],
    ...['$request.query.CALLBACK', '$response.path.id', '$request.body#/a~1b~0/1'],
  ])('%s has no value', (text) => {
    expect(() => evaluated(text, SOURCE)).toThrow(
      new TypeError(`${text}: expected a string or a number, got undefined`),
    );
    expect(() => evaluated('$request.header.a', {})).toThrow(TypeError);
  });

  it.each(['$request.body#/none', '$request.body#/list', '$request.body'])(
    '%s of null, an array or an object is no text',
    (text) => {
      expect(() => evaluated(text, SOURCE)).toThrow(/expected a string or a number, got /);
    },
  );

  it.each(['$', '$other', '$request.other.x', '$request.body/url', '$request.query', '$URL'])(
    '%s is none',
    (text) => {
      expect(() => evaluated(text, SOURCE)).toThrow(
        new TypeError(`${text}: expected a runtime expression of OpenAPI`),
      );
    },
  );

  it('needs a status from 100 to 599', () => {
    for (const status of [100, 599]) expect(evaluated('$statusCode', { status })).toBe(`${status}`);
    for (const status of [99, 600, 1.5]) {
      expect(() => evaluated('a', { status })).toThrow(RangeError);
    }
  });
});
