// Versions of contracts, and the release that a contract is compared with.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import fc from 'fast-check';
import {
  baselineOf,
  compareVersions,
  mayBreak,
  nextBreaking,
  nextVersion,
  releaseError,
  suggestedVersion,
  type VersionScheme,
} from '../src/report/releases.ts';
import type { Change } from '../src/rules/rules.ts';

describe('compareVersions', () => {
  // The pre-releases are the example of https://semver.org, section 11.
  it.each([
    [
      ...['0.1.0', '0.2.0', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta'],
      ...['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.10.0'],
      ...['v2', '2.0.1+build.7'],
    ],
    ['2024-05-01', '2025-01-31-preview', '2025-01-31', '2025-02-01'],
    ['beta 2', 'beta 10'],
  ])('sorts %s, …', (...versions) => {
    expect([...versions].reverse().sort(compareVersions)).toEqual(versions);
  });

  it('ignores the build and a leading v', () => {
    expect(compareVersions('v1.0.0', '1.0.0+7')).toBe(0);
  });
});

describe('mayBreak', () => {
  it.each([
    ['1.0.0', '2.0.0', true],
    ['1.0.0', '1.1.0', false],
    ['1.0.0', '1.0.0', false],
    ['2.0.0', '1.0.0', false],
    ['0.1.0', '0.2.0', true],
    ['0.1.0', '0.1.1', false],
    ['0.0.1', '0.0.2', true],
    ['0.9.0', '1.0.0', true],
    ['1.0.0-rc.1', '1.0.0', true],
    ['1.0.0', '1.1.0-rc.1', false],
    ['1.0.0', '2.0.0-rc.1', true],
    ['2024-05-01', '2025-01-31', true],
    ['2025-01-31', '2025-01-31', false],
    ['2025-01-31', '2024-05-01', false],
  ])('of %s, %s: %s', (from, to, expected) => {
    expect(mayBreak(from, to)).toBe(expected);
  });
});

describe('releaseError', () => {
  const definitionOf = (version: string) =>
    new Contract({ openapi: '3.1.0', info: { title: 't', version }, paths: {} });
  const change: Change = {
    rule: 'operation-removed',
    severity: 'breaking',
    operations: ['GET /toys'],
    part: '',
    what: 'the path was removed',
    effect: 'Clients that call it get 404.',
    before: '',
    after: '',
  };
  const errorOf = (from: string, to: string, versions?: VersionScheme) =>
    releaseError([change], definitionOf(from), definitionOf(to), { versions });

  it('permits no breaking change in a version of an unknown scheme', () => {
    expect(errorOf('2020-09-14_1.688.6', '2020-09-14_1.689.0')).toBe(
      '1 breaking change since 2020-09-14_1.688.6: info.version 2020-09-14_1.688.6 is neither semver nor a date  expected no such change, or versions: sequence in compatibility.yaml',
    );
    expect(errorOf('1.0.0', 'next')).toContain('info.version next is neither semver nor a date');
  });

  it('permits them in a later version once the policy names the scheme', () => {
    expect(errorOf('2020-09-14_1.688.6', '2020-09-14_1.689.0', 'sequence')).toBeUndefined();
    expect(errorOf('2020-09-14_1.689.0', '2020-09-14_1.688.6', 'sequence')).toContain('expected');
    expect(errorOf('1.0.0', '2.0.0')).toBeUndefined();
  });
});

describe('nextBreaking', () => {
  it.each([
    ['1.4.2', 'info.version 2.0.0'],
    ['0.1.3', 'info.version 0.2.0'],
    ['0.0.3', 'info.version 0.0.4'],
    ['2025-01-31', 'a later date as info.version'],
  ])('of %s is %s', (version, expected) => {
    expect(nextBreaking(version)).toBe(expected);
  });
});

describe('nextVersion', () => {
  const part = fc.nat(20);
  const versions = fc.tuple(part, part, part).map((numbers) => numbers.join('.'));

  it('is later, and may break clients if a change does', () => {
    fc.assert(
      fc.property(versions, (version) => {
        const next = (effect: Parameters<typeof nextVersion>[1]) =>
          nextVersion(version, effect)!.version;
        for (const effect of ['breaking', 'compatible', 'documentation'] as const) {
          expect(compareVersions(next(effect), version)).toBeGreaterThan(0);
        }
        expect(mayBreak(version, next('breaking'))).toBe(true);
        // Any later version than 0.0.z may break clients.
        if (version.startsWith('0.0.')) return;
        expect(mayBreak(version, next('compatible'))).toBe(false);
        expect(mayBreak(version, next('documentation'))).toBe(false);
      }),
    );
  });

  it.each([
    ['1.4.2', 'breaking', 'major', '2.0.0'],
    ['1.4.2', 'compatible', 'minor', '1.5.0'],
    ['1.4.2', 'documentation', 'patch', '1.4.3'],
    ['0.4.2', 'breaking', 'minor', '0.5.0'],
    ['0.4.2', 'compatible', 'patch', '0.4.3'],
    ['0.0.2', 'breaking', 'patch', '0.0.3'],
    ['v2', 'breaking', 'major', '3.0.0'],
    ['2.0.0-rc.1', 'breaking', 'major', '2.0.0'],
    ['2.1.0-rc.1', 'compatible', 'minor', '2.1.0'],
    ['2.1.1-rc.1', 'documentation', 'patch', '2.1.1'],
  ] as const)('of %s for a %s change is %s %s', (version, effect, step, next) => {
    expect(nextVersion(version, effect)).toEqual({ step, version: next });
  });

  it.each(['2025-01-31', 'beta 2'])('is unknown for %s', (version) => {
    const contract = new Contract({ openapi: '3.1.0', info: { title: 't', version }, paths: {} });
    const change = { rule: 'operation-added', severity: 'compatible' } as Change;
    expect(() => suggestedVersion([change], contract, false)).toThrow(
      `info.version: got "${version}", expected a semantic version: 1.2.0`,
    );
  });
});

describe('baselineOf', () => {
  const releases = ['1.0.0', '1.1.0-rc.1', '2.0.0'].map((version) => ({ version, path: '' }));

  it.each([
    ['1.0.1', '1.0.0'],
    ['1.1.0', '1.0.0'],
    ['2.0.0', '2.0.0'],
    ['2.1.0', '2.0.0'],
    ['0.9.0', '2.0.0'],
  ])('of %s is %s', (version, expected) => {
    expect(baselineOf(releases, version)?.version).toBe(expected);
  });

  it('is a pre-release without another release', () => {
    expect(baselineOf(releases.slice(1, 2), '1.1.0')?.version).toBe('1.1.0-rc.1');
    expect(baselineOf([], '1.1.0')).toBeUndefined();
  });
});
