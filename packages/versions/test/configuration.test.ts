// `served` of compatibility.yaml: its values, and what is expected instead of others.
import { describe, expect, it } from '@jest/globals';
import { ContractErrors } from '@stubwright/contract';
import { configurationIn, selectionErrors } from '../src/configuration.ts';

const errorsOf = (text: string): readonly string[] => {
  try {
    configurationIn(text, 'c.yaml');
    return [];
  } catch (error) {
    if (error instanceof ContractErrors) return error.errors.map(String);
    throw error;
  }
};
const versions = (...entries: string[]) => `served: {versions: [${entries.join(', ')}]}`;

describe('served', () => {
  it('is optional', () => {
    expect(configurationIn('rules: {}', 'c.yaml')).toBeUndefined();
    expect(configurationIn('', 'c.yaml')).toBeUndefined();
  });

  it('has defaults for all but versions', () => {
    expect(configurationIn(versions("{version: '1.0.0'}"), 'c.yaml')).toEqual({
      ...{ header: undefined, mediaType: undefined, default: undefined },
      versions: [
        {
          ...{ version: '1.0.0', path: undefined, until: undefined },
          contract: 'generated/versions/1.0.0.json',
          converters: 'src/versions/1.0.0.ts',
        },
      ],
    });
  });

  it('has the values of the file', () => {
    const text = `served:
  header: Toys-Version
  mediaType: v
  default: '2026-01-01'
  versions:
    - {version: '1.4.0', path: /v1.4/a, deprecated: 2026-11-01, until: 2027-06-30, contract: a.yaml, converters: a.ts}
    - {version: '2026-01-01', until: 2027-06-30, deprecated: 2027-06-30}
`;
    expect(configurationIn(text, 'c.yaml')).toEqual({
      ...{ header: 'Toys-Version', mediaType: 'v', default: '2026-01-01' },
      versions: [
        {
          ...{ version: '1.4.0', path: '/v1.4/a', deprecated: '2026-11-01', until: '2027-06-30' },
          ...{ contract: 'a.yaml', converters: 'a.ts' },
        },
        {
          ...{ version: '2026-01-01', path: undefined },
          ...{ deprecated: '2027-06-30', until: '2027-06-30' },
          contract: 'generated/versions/2026-01-01.json',
          converters: 'src/versions/2026-01-01.ts',
        },
      ],
    });
  });

  const NO_VERSIONS = 'expected an array of versions, oldest first';
  it.each([
    ['served: [1]', 'served: got [ 1 ], expected a map with versions'],
    ['served: {}', `served.versions: got undefined, ${NO_VERSIONS}`],
    ['served: {versions: []}', `served.versions: got [], ${NO_VERSIONS}`],
    [
      versions("{version: '1'}", "{version: '2'}", "{version: '1'}"),
      "served.versions: got '1', expected each version once",
    ],
  ])('%s has an error', (text, expected) => {
    expect(errorsOf(text)).toEqual([`c.yaml  ${expected}`]);
  });

  it('has errors for each wrong value', () => {
    const text = `served:
  query: v
  header: a b
  mediaType: a/b
  default: 1 2
  versions:
    - {}
    - 1.4.0
    - {version: 1.4}
    - {version: '3', since: 1}
    - {version: '4', path: v1}
    - {version: '5', path: /v1/}
    - {version: '6', until: soon}
    - {version: '7', contract: 7, converters: ''}
    - {version: '8', deprecated: 2027-07-01, until: 2027-06-30}
    - {version: '9', deprecated: 2027-07-01}
`;
    const named = "expected a version in quotes, such as '1.4.0'";
    const keys = 'version, path, deprecated, until, contract or converters';
    const notAfter = 'expected a date that is not after until';
    const expected = [
      "served: got 'query', expected header, mediaType, default or versions",
      "served.header: got 'a b', expected the name of a header",
      "served.mediaType: got 'a/b', expected the name of a parameter of a media type",
      "served.default: got '1 2', expected a served version",
      `served.versions[0].version: got undefined, ${named}`,
      "served.versions[1]: got '1.4.0', expected a map with version",
      `served.versions[2].version: got 1.4, ${named}`,
      `served.versions[3]: got 'since', expected ${keys}`,
      "served.versions[4].path: got 'v1', expected a path such as /v1",
      "served.versions[5].path: got '/v1/', expected a path such as /v1",
      "served.versions[6].until: got 'soon', expected a date such as 2027-06-30",
      'served.versions[7].contract: got 7, expected a path',
      "served.versions[7].converters: got '', expected a path",
      `served.versions[8].deprecated: got '2027-07-01', ${notAfter}`,
      `served.versions[9].deprecated: got '2027-07-01', ${notAfter}`,
    ];
    expect(errorsOf(text).toSorted()).toEqual(expected.map((line) => `c.yaml  ${line}`).toSorted());
  });

  it('is YAML', () => {
    expect(errorsOf('served: {a')).toEqual([
      expect.stringMatching(/^c\.yaml {2}.*flow collection/),
    ]);
  });
});

describe('the selection of a version', () => {
  const of = (text: string, current: string, hasPin = false) =>
    selectionErrors(configurationIn(text, 'c.yaml')!, {
      ...{ current, hasPin, file: 'c.yaml' },
      routes: [['/v1/toys', '/toys'], ['/v10/toys'], ['/hidden/toys']],
    });
  const unnamed = (version: string) =>
    `c.yaml  served.versions: no request can name ${version}, expected its path, served.header, served.mediaType or the option pin`;
  const [one, two] = ["{version: '1', path: /v1}", "{version: '2', path: /v1}"];

  it.each<[string, string, boolean, string[]]>([
    [versions(one), '2', false, []],
    [versions("{version: '1'}"), '2', false, [unnamed('1')]],
    [versions("{version: '1'}"), '2', true, []],
    ["served: {header: V, versions: [{version: '1'}]}", '2', false, []],
    ["served: {mediaType: v, versions: [{version: '1'}]}", '2', false, []],
    ["served: {default: '1', versions: [{version: '1'}]}", '2', false, []],
    ["served: {default: '2', versions: [{version: '1'}]}", '2', false, [unnamed('1')]],
    [
      `served: {default: '3', versions: [${one}]}`,
      '2',
      false,
      ['c.yaml  served.default: got 3, expected one of 1, 2'],
    ],
    [
      versions(one),
      '1',
      false,
      ['c.yaml  served.versions: got 1, expected versions before the current one'],
    ],
    [
      versions(one, two),
      '3',
      false,
      ['c.yaml  served.versions: got the path /v1 twice, expected one version'],
    ],
    [
      versions("{version: '1', path: /hidden}"),
      '2',
      false,
      ['c.yaml  served.versions: the path /hidden hides /hidden/toys of 2, expected another path'],
    ],
  ])('of %s, current %s, pin %s', (text, current, hasPin, expected) => {
    expect(of(text, current, hasPin)).toEqual(expected);
  });
});
