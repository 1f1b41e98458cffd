// Values that are made when they are first needed.
import { describe, expect, it } from '@jest/globals';
import { once, onceFor } from '@stubwright/contract';

describe('once', () => {
  it.each([[1], [undefined], [null]])(
    'calls the function at the first call alone, also for %j',
    (made) => {
      const calls: unknown[] = [];
      const value = once(() => {
        calls.push(made);
        return made;
      });
      expect(calls).toEqual([]);
      expect([value(), value()]).toEqual([made, made]);
      expect(calls).toEqual([made]);
    },
  );

  it('calls the function again after an error', () => {
    let calls = 0;
    const value = once(() => {
      if (++calls === 1) throw new Error('first');
      return calls;
    });
    expect(value).toThrow('first');
    expect([value(), value()]).toEqual([2, 2]);
  });
});

describe('onceFor', () => {
  it('calls the function once for each key, also where it returns undefined', () => {
    const keys: string[] = [];
    const made = onceFor((key: string) => {
      keys.push(key);
      return key === 'none' ? undefined : { key };
    });
    expect(made('a')).toBe(made('a'));
    expect([made('none'), made('none'), made('b')]).toEqual([undefined, undefined, { key: 'b' }]);
    expect(keys).toEqual(['a', 'none', 'b']);
  });
});
