// The line that a service prints when its start fails, by error.
import { describe, expect, it } from '@jest/globals';
import { terminalLine } from '../src/operations/log.ts';
import { startErrorMessage } from '../src/process.ts';

describe('the message of a failed start', () => {
  const at = { address: '::', port: 80 };

  it.each([
    ['EADDRINUSE', 'PORT: :::80 is in use, expected a free port'],
    ['EACCES', 'PORT: :::80 needs privileges, expected a port above 1023'],
    ['EADDRNOTAVAIL', 'HOST: expected an address of this machine: failed'],
    ['ENOTFOUND', 'HOST: expected an address of this machine: failed'],
    ['ECONNREFUSED', 'the service cannot open its resources: failed'],
    ['ETIMEDOUT', 'the service cannot open its resources: failed'],
  ])('of %s is one line', (code, message) => {
    expect(startErrorMessage(Object.assign(new Error('failed'), { code, ...at }))).toBe(message);
  });

  it.each(['ConfigError', 'ContractErrors', 'StoreRefused'])('of a %s is its own', (name) => {
    expect(startErrorMessage(Object.assign(new Error('PORT: got x'), { name }))).toBe(
      'PORT: got x',
    );
  });

  it('of another error has the stack', () => {
    const error = new Error('failed');
    expect(startErrorMessage(error)).toBe(error.stack);
    delete error.stack;
    expect(startErrorMessage(error)).toBe('failed');
    expect(startErrorMessage('text')).toBe('text');
  });
});

describe('a line of the log for a terminal', () => {
  it.each([
    ['a\\u001b[31mb', 'a\\\\u001b[31mb'],
    ['a\\rb', 'a\\\\rb'],
    ['a\\nb', 'a\\\\nb'],
    ['a\\n  b', 'a\\n  b'],
    ['a\\n\\tb', 'a\\n\\tb'],
    ['\\"\\\\\\/\\t', '\\"\\\\\\/\\t'],
    ['\\b\\f', '\\\\b\\\\f'],
    ['\u007f\u009f', '\\\\u007f\\\\u009f'],
    ['\u2028\u200f\u202e\u2066', '\\\\u2028\\\\u200f\\\\u202e\\\\u2066'],
    ['\u00a0é\u2027\u206a', '\u00a0é\u2027\u206a'],
  ])('shows %j as %j', (json, shown) => {
    expect(terminalLine(json)).toBe(shown);
  });
});
