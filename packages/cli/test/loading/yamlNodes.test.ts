// js-yaml against the package `yaml`: the same values, errors and positions.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isTestAll, runs } from '../../../stubwright/test/support/testAll.ts';
import { parseAnyYaml, parseText } from '../../src/loading/parse.ts';
import { yamlDocument } from '../../src/loading/yamlDocument.ts';
import { readYaml, YamlPositions } from '../../src/loading/yamlNodes.ts';
import { DocumentPositions } from '../../src/loading/yamlPositions.ts';

/** Both parsers read the same value, with the keys in the same order. */
function expectSameReading(text: string): void {
  const { yaml: _, ...any } = parseAnyYaml(text, readYaml(text)) as { readonly yaml?: unknown };
  expect([text, shown(parseText(text, false))]).toEqual([text, shown(any)]);
}

/** Distinguishes bigints, negative zero and the order of keys. */
function shown(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) => {
    if (key === 'yaml') return undefined;
    const isExact = typeof each !== 'number' || (Number.isFinite(each) && !Object.is(each, -0));
    return typeof each === 'bigint' || !isExact
      ? `${typeof each} ${Object.is(each, -0) ? '-0' : each}`
      : each;
  });
}

function expectSamePositions(text: string): void {
  const read = readYaml(text);
  if (read?.root === undefined) return;
  const positions = new YamlPositions(read.root);
  const parsed = yamlDocument(text);
  // An invalid text has no positions to compare.
  if (parsed.errors.length > 0) return;
  const document = new DocumentPositions(parsed);
  for (const tokens of paths(read.value)) {
    expect([text, tokens, positions.find(tokens)]).toEqual([text, tokens, document.find(tokens)]);
  }
}

function paths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([name, each]) =>
    paths(each).map((path) => [name, ...path]),
  );
  return [[], ['absent'], ...inner];
}

describe('a scalar', () => {
  it.each([
    ...['.inf', '-.inf', '+.INF', '.Inf', '-.iNF', '.nan', '.NaN', '-.nan', '0o17', '0o8', '0x1Fa'],
    ...['0xg', '-0', '+1', '-1', '1e3', '1E+3', '-.5e-3', '.5', '1.', '.', '-', '+', '1e', '1_000'],
    ...['9007199254740993', '-9007199254740993', '0o777777777777777777777', '~', 'NULL', 'Null'],
    ...['nULL', 'True', 'TRUE', 'false', 'fALSE', 'yes', 'on', '2024-01-01', '1:30', '"1"', "'~'"],
  ])('%s is read as the package yaml reads it', (text) => {
    expectSameReading(`a: ${text}\nb: [${text}]\n`);
  });
});

const LINES = [
  ...['a: b', 'key: ', 'a:', '"q": 1', "'it''s': x", '200: ok', '~: n', '1.0: f', '- ', '- a', '-'],
  ...['- a: b', '- - c', '- |', '# comment', 'a: b # comment', 'a: |', 'b: >', 'c: |-', 'd: >+'],
  ...['a: |2', 'e: >1-', 'f: []', 'g: {}', 'h: [a, "b"]', 'i: {a: 1, "b": [2]}', 'j: [', ']', '}'],
  ...[
    'k: {',
    'more text',
    'x:y',
    'http://a/b: c',
    '"open',
    'close"',
    "s: 'open",
    "close'",
    'l: "a',
  ],
  ...['m: "\\u00e9\\n"', 'n: "\\x41"', 'o: null', 'p: 0x1F', 'q: 0o17', 'r: 9007199254740993'],
  ...['s: -0', 't: -0.0', 'u: 1e3', 'v: .inf', 'w: +.5', 'x: 1_000', 'y: yes', 'z: 2020-01-01'],
  ...['aa: &x 1', 'bb: *x', 'cc: !!str 1', '<<: *x', '---', '...', '%YAML 1.1', '? a', ': b', '\t'],
  ...['a: b: c', 'a: b:', 'a:  b  ', 'a : b', '[a]: b', '{"a":1}', '- [a,', ' ', 'é: ü', '- - - a'],
  ...[
    '[a: b, c]',
    '{a, b: c}',
    'x: [a: 1]',
    'x: {a}',
    'z: {a: b,',
    'y: [a,,b]',
    'a: "x"#c',
    'b: \t',
  ],
  ...['- {', '- [', '---a: b', '__proto__: 1', '{"x":y}: z', '"a#": b', 'd: >+', 'e: {}b', '|'],
];

const CORPUS = '../shared/corpus/contracts.tar.xz';
const inCorpus = isTestAll && existsSync(CORPUS) ? it : it.skip;

describe('readYaml', () => {
  it('reads generated lines as yaml does, at the same positions', () => {
    const line = fc.tuple(fc.nat(3), fc.constantFrom(...LINES));
    const texts = fc
      .array(line, { minLength: 1, maxLength: 7 })
      .map((lines) => lines.map(([level, text]) => `${'  '.repeat(level)}${text}`).join('\n'));
    const property = fc.property(texts, fc.constantFrom('', '\n', '\n\n', ' \n'), (text, end) => {
      expectSameReading(`first: 1\n${text}${end}`);
      expectSamePositions(`first: 1\n${text}${end}`);
    });
    fc.assert(property, { numRuns: runs(1_000) });
  });

  it('reads generated quoted scalars as yaml does', () => {
    const pieces = [
      ' ',
      '  ',
      '\n',
      '\n ',
      '\n  ',
      '\n \n',
      '\\\n',
      'a',
      ': ',
      '- ',
      '# ',
      '...',
      '[',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => all.join(''));
    const heads = fc.constantFrom('a: ', 'a:\n  b: ', '- ', 'a:\n- b:\n    c: ');
    const ends = fc.constantFrom('', '\nc: 1\n', '\n  d: 1\nc: "x\ny"\n');
    const quotes = fc.constantFrom('"', "'");
    const property = fc.property(heads, quotes, text, ends, (head, quote, inner, end) =>
      expectSameReading(`${head}${quote}${inner}${quote}${end}`),
    );
    fc.assert(property, { numRuns: runs(5_000) });
  });

  it.each([
    'a: 9007199254740993\nb: 9007199254740992\nc: 0x20000000000001\nd: 1e400\n',
    "200: a\n'200b': b\n? c\n: d\n",
    'a: >\n  one\n  two\n\n\n  three\n   indented\n  four\n\nb: |+\n  text\n\nc: 1\n',
    'a: |2-\n    two spaces\n  none\nb: |-\nc: >+\n\n\nd: 1\n',
    'a: plain\n  continued\n\n  after an empty line\n  # a comment\nb:\n- 1\n-\n  - 2\n- - 3\n',
    "a: \"one\n  two \\\n  three\"\nb: 'it''s\n\n  fine'\n",
    'a: "one\\\n\n  two\\\n \n\n  three"\n',
    'a:\n  -\n  - x\n  -   # c\n  - ~\n  -\nb: [~, x, ~]\n',
    '- \n-\n- a: b\n-\n',
    '-\n- -\n  - x\n-\n  ~\n-',
    '- a: |\n    x\n\n-\n# c\n\n-\n- "q"\n',
    'a: [\n  one, "two * &", {three: 3, "f\'our": ~}\n]\nb: {"a": [1, -0, 1.0, 9007199254740993]}\n',
    '# first\n---\na: 1\n',
    'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n',
    'a: 1\nb: 2\na: 3\n',
    'a: {b: 1, b: 2}\n',
    'a:\n  b: {\n    c: d\n  }\n  e: {\n}\n',
    ...['[1,\n2]', '[1,\n  2\n]', '[1,\n 2\n  ]', '[1\n  ]', '[1\n]', '[1\n ]'].map(
      (each) => `a:\n  b: ${each}\n`,
    ),
    ...['"x\ny"', "'x\ny'", '"x\n\n y"', '"x\n \n y"'].map((each) => `a:\n  b: ${each}\n`),
    'a: b\n  c: d\n',
    'a: b\n c: d\n e: f\n',
    'a: "x"# no space\n',
    'a: [1, 2]]\n',
    'a: 1\n--- \nb: 2\n',
    '%YAML 1.1\n---\na: yes\n',
    'a:\t1\n\tb: 2\n',
    `${'[1]: '.repeat(3)}\n`,
    `a: ${'['.repeat(300)}${']'.repeat(300)}\n`,
    `a:\n${'- '.repeat(300)}1\n`,
    'a: "under\n indented"\nb:\n  c: "too\n  little"\n  d: 1\n',
    "a:\n  b: 'too \n  little'\n",
    'a:\n  b: "too\n\n  little\n not"\n',
  ])('reads %j as yaml does', (text) => {
    expectSameReading(text);
    expectSamePositions(text);
  });

  it.each([readFileSync('openapi.yaml', 'utf8'), 'paths:\n  -\n  - a\n  -\n'])(
    'reads %#, a contract and empty items, without yaml',
    (text) => expect([...readYaml(text)!.root!.entries.keys()]).toContain('paths'),
  );

  inCorpus('reads the contracts of the corpus as yaml does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
    try {
      execFileSync('tar', ['xf', CORPUS, '-C', folder]);
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.yaml'))) {
        const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
        const { yaml: _, ...any } = parseAnyYaml(text, readYaml(text)) as {
          readonly yaml?: unknown;
        };
        const { yaml: __, ...read } = parseText(text, false) as { readonly yaml?: unknown };
        expect([name, isDeepStrictEqual(read, any)]).toEqual([name, true]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('reads each under-indented line once, not all lines for each', () => {
  const exec = RegExp.prototype.exec;
  const callsFor = (count: number): number => {
    const text = `a:\n${'  - "under\n indented"\n'.repeat(count)}`;
    let calls = 0;
    RegExp.prototype.exec = function counted(each) {
      calls++;
      return exec.call(this, each);
    };
    try {
      expect(readYaml(text)?.violation).toBeDefined();
    } finally {
      RegExp.prototype.exec = exec;
    }
    return calls;
  };
  const [few, more] = [callsFor(100), callsFor(400)];
  expect(more).toBeLessThanOrEqual(5 * few);
});
