// Listeners of events that throw: reported as internalError, else on stderr.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { reportingEmitter } from '../src/internals.ts';

interface Events {
  internalError: [Error];
  responded: [number, string];
}

const ERROR = new Error('broken');
let written: unknown[];

beforeEach(() => {
  written = [];
  jest.spyOn(console, 'error').mockImplementation((error) => {
    written.push(error);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('report', () => {
  it('emits internalError, and writes nothing', () => {
    const { events, report } = reportingEmitter<Events>();
    const reported: Error[] = [];
    events.on('internalError', (error) => reported.push(error));
    report(ERROR);
    expect([reported, written]).toEqual([[ERROR], []]);
  });

  it('writes the error without a listener', () => {
    reportingEmitter<Events>().report(ERROR);
    expect(written).toEqual([ERROR]);
  });

  it('writes the error of a listener of internalError, once', () => {
    const { events, report } = reportingEmitter<Events>();
    const own = new Error('of the listener');
    events.on('internalError', () => {
      throw own;
    });
    report(ERROR);
    expect(written).toEqual([own]);
  });

  it('ignores an error that cannot be written', () => {
    jest.spyOn(console, 'error').mockImplementation(() => {
      throw ERROR;
    });
    expect(() => reportingEmitter<Events>().report(ERROR)).not.toThrow();
  });
});

describe('emit', () => {
  it('calls each listener with all values, once ones too, and returns whether there is one', () => {
    const { events } = reportingEmitter<Events>();
    expect(events.emit('responded', 1, 'a')).toBe(false);
    const seen: unknown[] = [];
    events.on('responded', (...values) => seen.push(values));
    events.once('responded', (...values) => seen.push(['once', ...values]));
    expect([events.emit('responded', 1, 'a'), events.emit('responded', 2, 'b')]).toEqual([
      ...[true, true],
    ]);
    expect(seen).toEqual([
      [1, 'a'],
      ['once', 1, 'a'],
      [2, 'b'],
    ]);
  });

  it('reports what a listener throws or rejects with, and calls the others', async () => {
    const { events } = reportingEmitter<Events>();
    const reported: Error[] = [];
    events.on('internalError', (error) => reported.push(error));
    const called: string[] = [];
    events.on('responded', () => {
      throw 'text';
    });
    events.on('responded', async () => {
      throw ERROR;
    });
    events.on('responded', () => {
      called.push('last');
    });
    events.emit('responded', 1, 'a');
    await Promise.resolve();
    await new Promise((done) => setImmediate(done));
    expect(called).toEqual(['last']);
    expect(reported).toEqual([expect.objectContaining({ message: expect.any(String) }), ERROR]);
  });
});
