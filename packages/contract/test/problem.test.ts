import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import * as errors from '../src/errors/problem.ts';
import { catalogue, Problem } from '../src/errors/problem.ts';

describe('the catalogue of error numbers', () => {
  it("equals the contract's description of Error", () => {
    const { description } = parse(readFileSync('openapi.yaml', 'utf8')).components.schemas.Error;
    const rows = [...description.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, error, meaning]) => [
      error,
      meaning,
    ]);
    expect(Object.fromEntries(rows)).toEqual(catalogue);
  });

  it('gives each number its status', () => {
    for (const error of Object.keys(catalogue)) expect(error).toMatch(/^[45]\d{4}$/);
  });
});

describe('an error of the catalogue', () => {
  const challenge = { 'WWW-Authenticate': 'Bearer' };

  it.each<[Problem, number: number, message: string, headers?: object]>([
    [errors.contractViolation('a'), 40000, 'a'],
    [errors.malformedJson('a'), 40001, 'a'],
    [errors.missingBody(), 40002, 'expected a body'],
    [errors.malformedHttp('a'), 40003, 'a'],
    [errors.malformedBody('a'), 40004, 'a'],
    [errors.credentialsMissing('Bearer'), 40100, 'expected credentials', challenge],
    [errors.credentialsInvalid('Bearer'), 40101, 'the credentials are not valid', challenge],
    [errors.scopesMissing('Bearer'), 40300, 'insufficient scope', challenge],
    [errors.unknownPath(), 40400, 'no such path'],
    [errors.unknownId(), 40401, 'no resource has this id'],
    [errors.preferenceNotDeclared('a'), 40402, 'a'],
    [
      errors.methodNotAllowed('GET, PUT'),
      40500,
      'expected one of the methods GET, PUT',
      { Allow: 'GET, PUT' },
    ],
    [errors.notAcceptable('a/b'), 40600, 'expected Accept with one of a/b'],
    [errors.requestTimeout(), 40800, 'the request took too long to arrive'],
    [errors.idConflict(), 40900, 'the id exists'],
    [errors.testFailed('a', []), 40902, 'a'],
    [errors.gone('a'), 41000, 'a'],
    [errors.preconditionFailed(), 41200, 'expected If-Match with the current ETag'],
    [
      errors.conditionFailed('If-Match'),
      41201,
      'the resource has changed: its entity tag is none of If-Match',
    ],
    [
      errors.conditionFailed('If-None-Match'),
      41201,
      'the resource exists with an entity tag of If-None-Match',
    ],
    [
      errors.conditionFailed('If-Unmodified-Since'),
      41201,
      'the resource has changed since If-Unmodified-Since',
    ],
    [errors.contentTooLarge(7), 41300, 'expected a body of at most 7 bytes'],
    [errors.uriTooLong(), 41400, 'the request target is too long'],
    [errors.unsupportedMediaType('a/b'), 41500, 'expected Content-Type a/b', { Accept: 'a/b' }],
    [errors.unsupportedMediaType(''), 41500, 'expected no body', { Accept: '' }],
    [
      errors.unsupportedContentEncoding(),
      41501,
      'expected a body without Content-Encoding',
      { 'Accept-Encoding': 'identity' },
    ],
    [errors.expectationFailed(), 41700, 'expected no Expect but 100-continue'],
    [errors.patchNotApplicable('a', []), 42201, 'a'],
    [errors.patchedInvalid('a', []), 42202, 'a'],
    [
      errors.preconditionRequired('If-Match'),
      42800,
      'expected If-Match, for the version of the resource that the request is about',
    ],
    [
      errors.tooManyRequests(7, 'r', 'p'),
      42900,
      'expected fewer requests, try again later',
      { 'Retry-After': '7', RateLimit: 'r', 'RateLimit-Policy': 'p' },
    ],
    [errors.headersTooLarge(), 43100, 'the request headers are too large'],
    [errors.internalError(), 50000, 'internal error'],
    [errors.notImplemented('GET'), 50100, 'expected GET'],
    [errors.aborted(), 50300, 'the request was aborted, try again', { 'Retry-After': '1' }],
    [errors.unavailable('a', 7), 50300, 'a', { 'Retry-After': '7' }],
    [errors.versionNotSupported(), 50500, 'expected HTTP/1.1 or HTTP/1.0'],
  ])('%s', (problem, number, message, headers = {}) => {
    expect(problem).toMatchObject({ number, status: Math.floor(number / 100), message });
    expect([problem.headers, problem.type]).toEqual([headers, 'about:blank']);
    expect([problem.members, problem.violations]).toEqual([{}, []]);
  });

  it('has a cause only if it is given', () => {
    const cause = new Error('a');
    expect(errors.internalError('b', cause).cause).toBe(cause);
    expect('cause' in new Problem(400, 'a')).toBe(false);
  });
});

describe('a problem', () => {
  it('has the reason phrase of its status', () => {
    expect(new Problem(404, 'a').title).toBe('Not Found');
    expect(new Problem(499, 'a').title).toBe('Error');
    expect(new Problem(404, 'a', { title: 'b' }).title).toBe('b');
  });

  it.each([399, 600, 400.5, Number.NaN])('has no status %d', (status) => {
    expect(() => new Problem(status, 'a')).toThrow(
      `Problem: got ${status}, expected a status from 400 to 599`,
    );
  });

  it.each([39999, 40100, 40000.5])('of status 400 has no number %d', (number) => {
    expect(() => new Problem(400, 'a', { number })).toThrow(
      `Problem: got the number ${number}, expected 40000 to 40099`,
    );
  });

  it('has statuses from 400 to 599, and numbers up to 99', () => {
    expect([400, 599].map((status) => new Problem(status, 'a').number)).toEqual([40000, 59900]);
    expect(new Problem(400, 'a', { number: 40099 }).number).toBe(40099);
  });
});
