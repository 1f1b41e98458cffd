import { describe, expect, it } from '@jest/globals';
import { FAILURE_HOLDS_MS, Readiness, SUCCESS_HOLDS_MS } from '../src/groupCommit.ts';

/** A store whose probes end with `outcome`, at a time that only `pass` moves. */
function probedStore() {
  let nowMs = 5000;
  let outcome: () => Promise<void> = async () => {};
  let probes = 0;
  const readiness = new Readiness(
    () => {
      probes++;
      return outcome();
    },
    () => nowMs,
  );
  return {
    readiness,
    probes: () => probes,
    pass: (ms: number) => {
      nowMs += ms;
    },
    probesEndWith: (next: () => Promise<void>) => {
      outcome = next;
    },
  };
}

const failing = async () => {
  throw new Error('disk I/O error');
};

describe('Readiness', () => {
  it('probes when there was no commit', async () => {
    const { readiness, probes } = probedStore();
    expect(await readiness.isReady()).toBe(true);
    expect(probes()).toBe(1);
  });

  it('is not ready when the probe fails', async () => {
    const { readiness, probesEndWith } = probedStore();
    probesEndWith(failing);
    expect(await readiness.isReady()).toBe(false);
  });

  it('is not ready when the probe throws instead of rejecting', async () => {
    const { readiness, probesEndWith } = probedStore();
    probesEndWith(() => {
      throw new Error('disk I/O error');
    });
    expect(await readiness.isReady()).toBe(false);
  });

  it('is ready without a probe while a success is fresh', async () => {
    const { readiness, probes, pass, probesEndWith } = probedStore();
    probesEndWith(failing);
    readiness.succeeded();
    pass(SUCCESS_HOLDS_MS - 1);
    expect([await readiness.isReady(), probes()]).toEqual([true, 0]);
    pass(1);
    expect([await readiness.isReady(), probes()]).toEqual([false, 1]);
  });

  it('is not ready, without a probe, while a failure is fresh', async () => {
    const { readiness, probes, pass } = probedStore();
    readiness.failed();
    pass(FAILURE_HOLDS_MS - 1);
    expect([await readiness.isReady(), probes()]).toEqual([false, 0]);
    pass(1);
    expect([await readiness.isReady(), probes()]).toEqual([true, 1]);
  });

  it('follows the latest of two outcomes', async () => {
    const { readiness } = probedStore();
    readiness.succeeded();
    readiness.failed();
    expect(await readiness.isReady()).toBe(false);
    readiness.succeeded();
    expect(await readiness.isReady()).toBe(true);
  });

  it('reuses the result of a probe for as long as that of a commit', async () => {
    const { readiness, probes, pass, probesEndWith } = probedStore();
    await readiness.isReady();
    pass(SUCCESS_HOLDS_MS - 1);
    await readiness.isReady();
    expect(probes()).toBe(1);
    probesEndWith(failing);
    pass(1);
    await readiness.isReady();
    pass(FAILURE_HOLDS_MS - 1);
    expect(await readiness.isReady()).toBe(false);
    expect(probes()).toBe(2);
  });

  it('uses one probe for concurrent calls', async () => {
    const { readiness, probes, probesEndWith } = probedStore();
    const probe = Promise.withResolvers<void>();
    probesEndWith(() => probe.promise);
    const answers = [readiness.isReady(), readiness.isReady()];
    probe.resolve();
    expect(await Promise.all(answers)).toEqual([true, true]);
    expect(probes()).toBe(1);
  });

  it('uses the result of a commit that ends during a probe', async () => {
    const { readiness, probes, probesEndWith } = probedStore();
    probesEndWith(() => new Promise(() => {}));
    readiness.isReady();
    readiness.succeeded();
    expect([await readiness.isReady(), probes()]).toEqual([true, 1]);
  });
});
