// Our reader of YAML against the package `yaml`: the same values, errors and positions.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { tokensOf } from '@stubwright/contract';
import { isTestAll, runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import { parseText } from '../../src/loading/parse.ts';
import { readYaml } from '../../src/loading/yaml.ts';

/** @returns the value that `yaml` reads; undefined for an invalid text */
function read(text: string): { readonly value: unknown; readonly document: Document } | undefined {
  const options = { intAsBigInt: true, merge: true, prettyErrors: false, uniqueKeys: false };
  const document = parseDocument(text, options);
  if (document.errors.length > 0) return undefined;
  const reviver = (_: unknown, value: unknown) =>
    typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
  try {
    return { value: document.toJS({ reviver, maxAliasCount: -1 }), document };
  } catch {
    return undefined;
  }
}

/** Texts that both libraries accept, and read alike, but for `%YAML 1.1` and collections as keys. */
const DIFFERENT = /^%YAML|^ *(?:- )*[[{].*[\]}] ?:|^ *(?:- )*\*\w+ *:|[\t\r]|\\\n *\n/m;

function expectSameReading(text: string): void {
  const parsed = parseText(text, false);
  const other = read(text);
  // Duplicate keys are errors of ours.
  if (other === undefined || DIFFERENT.test(text) || parsed.value === undefined) return;
  expect([text, shown(parsed.value)]).toEqual([text, shown(other.value)]);
  const { positions } = parsed;
  for (const [tokens, key, value] of nodesIn(other.document.contents, [])) {
    const { keyStart, start } = positions.find(tokens);
    expect([text, tokens, keyStart, start]).toEqual([text, tokens, key, value]);
  }
}

/** Distinguishes bigints, negative zero and the order of keys. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    const isExact = typeof each !== 'number' || (Number.isFinite(each) && !Object.is(each, -0));
    return typeof each === 'bigint' || !isExact
      ? `${typeof each} ${Object.is(each, -0) ? '-0' : each}`
      : each;
  });
}

type Found = [tokens: string[], key: number, value: number];

function nodesIn(node: unknown, tokens: string[]): Found[] {
  if (isSeq(node)) {
    return node.items.flatMap((item, at) => {
      const inner = [...tokens, `${at}`];
      return [[inner, startOf(item), startOf(item)] as Found, ...nodesIn(item, inner)];
    });
  }
  if (!isMap(node)) return [];
  const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value ?? '') : ''));
  return node.items.flatMap(({ key, value }, at) => {
    if (!isScalar(key) || names.indexOf(names[at]!) !== at) return [];
    const inner = [...tokens, names[at]!];
    if (typeof key.value === 'symbol') return nodesIn(value, [...tokens, '<<']);
    // `{a}` has no node for the value.
    if (!isNode(value) || isAlias(value)) return [];
    return [[inner, startOf(key), startOf(value)] as Found, ...nodesIn(value, inner)];
  });
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

const LINES = [
  ...['a: b', 'key: ', 'a:', '"q": 1', "'it''s': x", '200: ok', '~: n', '1.0: f', '- ', '- a', '-'],
  ...['- a: b', '- - c', '- |', '# comment', 'a: b # comment', 'a: |', 'b: >', 'c: |-', 'd: >+'],
  ...['a: |2', 'e: >1-', 'f: []', 'g: {}', 'h: [a, "b"]', 'i: {a: 1, "b": [2]}', 'j: [', ']', '}'],
  ...['k: {', 'more text', 'x:y', 'http://a/b: c', '"open', 'close"', "s: 'open", "close'"],
  ...['l: "a', 'm: "\\u00e9\\n"', 'n: "\\x41"', 'o: null', 'p: 0x1F', 'q: 0o17', 's: -0'],
  ...['r: 9007199254740993', 't: -0.0', 'u: 1e3', 'v: .inf', 'w: +.5', 'x: 1_000', 'y: yes'],
  ...['z: 2020-01-01', 'aa: &x 1', 'bb: *x', 'cc: !!str 1', '<<: *x', '---', '...', '? a', ': b'],
  ...['a: b: c', 'a: b:', 'a:  b  ', 'a : b', '{"a":1}', '- [a,', ' ', 'é: ü', '- - - a'],
  ...['[a: b, c]', '{a, b: c}', 'x: [a: 1]', 'x: {a}', 'z: {a: b,', 'y: [a,,b]', 'a: "x"#c'],
  ...['- {', '- [', '---a: b', '__proto__: 1', '{"x":y}: z', '"a#": b', 'e: {}b', '|'],
];

const CORPUS = '../shared/corpus/contracts.tar.xz';
const inCorpus = isTestAll && existsSync(CORPUS) ? it : it.skip;

describe('readYaml', () => {
  it.each([
    ...['.inf', '-.inf', '+.INF', '.Inf', '-.iNF', '.nan', '.NaN', '-.nan', '0o17', '0o8', '0x1Fa'],
    ...['0xg', '-0', '+1', '-1', '1e3', '1E+3', '-.5e-3', '.5', '1.', '.', '-', '+', '1e', '1_000'],
    ...['9007199254740993', '-9007199254740993', '0o777777777777777777777', '~', 'NULL', 'Null'],
    ...['nULL', 'True', 'TRUE', 'false', 'fALSE', 'yes', 'on', '2024-01-01', '1:30', '"1"', "'~'"],
  ])('reads the scalar %s as yaml does', (text) => {
    expectSameReading(`a: ${text}\nb: [${text}]\n`);
    expect(readYaml(`a: ${text}\nb: [${text}]\n`).errors === undefined).toBe(!/^[-]$/.test(text));
  });

  it('reads generated lines as yaml does, at the same positions', () => {
    const line = fc.tuple(fc.nat(3), fc.constantFrom(...LINES));
    const texts = fc
      .array(line, { minLength: 1, maxLength: 7 })
      .map((lines) => lines.map(([level, text]) => `${'  '.repeat(level)}${text}`).join('\n'));
    const property = fc.property(texts, fc.constantFrom('', '\n', '\n\n'), (text, end) => {
      expectSameReading(`first: 1\n${text}${end}`);
    });
    fc.assert(property, { numRuns: runs(1_000) });
  });

  it('reads generated quoted scalars as yaml does', () => {
    const pieces = [' ', '  ', '\n', '\n ', '\n  ', '\\\n', 'a', ': ', '- ', '# ', '...', '['];
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
    'a:\n  -\n  - x\n  -   # c\n  - ~\n  -\nb: [~, x, ~]\n',
    '-\n- -\n  - x\n-\n  ~\n-',
    '- a: |\n    x\n\n-\n# c\n\n-\n- "q"\n',
    'a: [\n  one, "two * &", {three: 3, "f\'our": ~}\n]\nb: {"a": [1, -0, 1.0, 9007199254740993]}\n',
    '# first\n---\na: 1\n',
    'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 1\n  b: 2\n',
    'd: {<<: [{a: 1, b: 2}, {a: 3, c: 4}], c: 5}\n',
    'a: &x\n  b: 1\nc: !!map\n  d: &y |\n    text\n  e: !!str\n  f: &z\ng: *y\n',
    'a:\n  b: {\n    c: d\n  }\n  e: 1\n',
    'a: b\r\nc:\r\n  - "d\r\n    e"\r\n',
  ])('reads %j as yaml does', (text) => {
    expect([readYaml(text).errors, read(text)]).toEqual([undefined, expect.anything()]);
    expectSameReading(text);
  });

  it.each([
    ['a: b\n  c: d\n', 8],
    ['a: [1, 2]]\n', 9],
    ['a: 1\n--- \nb: 2\n', 5],
    ['a: *b\n', 3],
    ['a: &b [*b]\n', 7],
    ['<<: 1\n', 0],
    ['a: {[b]: c}\n', 4],
    ['a: |\n  x\n y: 1\n', 10],
    ['a: [\n  1\n', 9],
    ['a: "x\nb: 1\n', 11],
    // Spaces in place of the comment would make one scalar of two.
    ['a:\n  b: [x # c\ny]\n', 15],
  ])('rejects %j', (text, offset) => {
    expect(readYaml(text).errors).toEqual([expect.objectContaining({ offset })]);
  });

  it.each([
    [
      'a: "under\n indented"\nb:\n  c: "too\n  little"\n  d: 1\n',
      { a: 'under indented', b: { c: 'too little', d: 1 } },
      33,
    ],
    ["a:\n  b: 'too \n  little'\n", { a: { b: 'too little' } }, 13],
    ['a:\n  b: "too\n\n  little\n not"\n', { a: { b: 'too\nlittle not' } }, 12],
    ['a:\n  b: [1,\n2]\n', { a: { b: [1, 2] } }, 12],
    ['a:\n  b: {\n}\n  c: 1\n', { a: { b: {}, c: 1 } }, 10],
    ['---\na:\n  b: {\n}\n  c: 1\n', { a: { b: {}, c: 1 } }, 14],
    ['a: b\n  - "c\nd: "x"# e\n', { a: 'b - "c', d: 'x' }, 18],
    ['a:\n  b: [1, # c\n2]\n', { a: { b: [1, 2] } }, 16],
    ['a: "x"# c\nb: [1]# d\n', { a: 'x', b: [1] }, 6],
    ['a: "x"# c\nb: |\n  "y"# d\n  }\nc: it\'s "\n', { a: 'x', b: '"y"# d\n}\n', c: 'it\'s "' }, 6],
  ])('reads %j with a warning', (text, value, offset) => {
    expect(readYaml(text)).toMatchObject({ value, warning: { offset } });
  });

  it('maps positions to the text as written if it violates YAML', () => {
    const text = 'a:\n  b: [1,\n2]\n  c: "x\n  y"# comment\n  d: {e: f\n}\ng: |\n  }\n';
    const { positions } = parseText(text, false);
    const at = (pointer: string) => {
      const { start, end, keyStart, keyEnd } = positions.find(tokensOf(pointer));
      return [text.slice(keyStart, keyEnd), text.slice(start, end)];
    };
    expect(['/a/b', '/a/b/1', '/a/c', '/a/d', '/a/d/e', '/g'].map(at)).toEqual([
      ['b', '[1,\n2]'],
      ['2', '2'],
      ['c', '"x\n  y"'],
      ['d', '{e: f\n}'],
      ['e', 'f'],
      ['g', '|\n  }\n'],
    ]);
  });

  it('has the end of each value: it reads alike', () => {
    const node = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.integer(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.string({ minLength: 1 }), tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    const property = fc.property(node, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify({ value }, null, indent);
      const { positions } = parseText(text, true);
      for (const [tokens, each] of valuesIn(value, ['value'])) {
        const { start, end } = positions.find(tokens);
        expect(JSON.parse(text.slice(start, end))).toEqual(each);
      }
    });
    fc.assert(property, { numRuns: runs(300) });
  });

  inCorpus('reads the contracts of the corpus as yaml does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
    try {
      execFileSync('tar', ['xf', CORPUS, '-C', folder]);
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.yaml'))) {
        const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
        const other = read(text);
        const { value, errors } = readYaml(text);
        expect([name, errors]).toEqual([name, undefined]);
        if (other !== undefined) {
          expect([name, isDeepStrictEqual(value, other.value)]).toEqual([name, true]);
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function valuesIn(value: unknown, tokens: string[]): [string[], unknown][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[tokens, value], ...inner.flatMap(([name, each]) => valuesIn(each, [...tokens, name]))];
}

/** @returns the number of calls of some methods while a text is read */
function callsFor(text: string): number {
  const methods = [
    [RegExp.prototype, 'exec'],
    [RegExp.prototype, 'test'],
    [String.prototype, 'slice'],
    [Map.prototype, 'get'],
    [Map.prototype, 'set'],
    [Array.prototype, 'push'],
  ] as const;
  let calls = 0;
  const originals = methods.map(([owner, name]) => {
    const own = owner as unknown as Record<string, (...args: unknown[]) => unknown>;
    const original = own[name]!;
    own[name] = function counted(this: unknown, ...args: unknown[]) {
      calls++;
      return original.apply(this, args);
    };
    return () => {
      own[name] = original;
    };
  });
  try {
    readYaml(text);
  } finally {
    for (const restore of originals) restore();
  }
  return calls;
}

describe('reading takes linear time', () => {
  it.each<[string, (n: number) => string]>([
    ['under-indented lines', (n) => `a:\n${'  - "under\n indented"\n'.repeat(n)}`],
    ['closing brackets', (n) => `a:\n${'  - {\n  b: 1\n  }\n'.repeat(n)}`],
    ['comments without a space', (n) => `a:\n${'  - "x"# c\n'.repeat(n)}`],
    ['anchors', (n) => Array.from({ length: n }, (_, at) => `a${at}: &x${at} {b: 1}\n`).join('')],
    ['aliases', (n) => `x: &x 1\n${Array.from({ length: n }, (_, at) => `a${at}: *x\n`).join('')}`],
    ['keys', (n) => Array.from({ length: n }, (_, at) => `a${at}: ${at}\n`).join('')],
    ['merge keys', (n) => `x: &x {a: 1}\ny:\n${'  - <<: *x\n'.repeat(n)}`],
  ])('of %s', (_, textOf) => {
    const [one, two, four] = [100, 200, 400].map((n) => callsFor(textOf(n))) as [
      number,
      number,
      number,
    ];
    expect(two).toBeLessThanOrEqual(2.1 * one);
    expect(four).toBeLessThanOrEqual(2.1 * two);
    expect(one).toBeGreaterThan(100);
  });

  it('of 40,000 anchors', () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `a${at}: &x${at} {b: 1}\n`);
    expect(Object.keys(readYaml(lines.join('')).value as object)).toHaveLength(40_000);
  });
});
