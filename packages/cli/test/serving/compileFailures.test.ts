// What must not compile in the converters of a served version, and the first line of each error.
import { describe, expect, it } from '@jest/globals';
import { errorsByVariant } from './compiled.ts';
import { CONVERTERS, NEWER, OLDER } from './toys.ts';

type Mistake = readonly [mistake: string, pattern: RegExp, replacement: string, error: RegExp];

// biome-ignore format: a table
const MISTAKES: readonly Mistake[] = [
  ['a missing converter of a component', /Toy: \{\n.*toOld.*\n {4}\},\n/, '', /^Property 'Toy' is missing/],
  ['a missing direction', /toOld: \(\{ id, names.*\n/, '', /^Property 'toOld' is missing/],
  ['a missing converter of requests', /getToy: .*\n/, '', /^Property 'getToy' is missing/],
  ['a missing converter of replies', /countToys: \{\n.*\n {4}\},\n/, '', /^Property 'countToys' is missing/],
  ['a missing converter of a constraint', /listToys: .*\n/, '', /^Property 'listToys' is missing/],
  ['a missing call of a removed operation', /deleteToy: \{\n.*\n.*\n.*\n.*\n {4}\},\n/, '', /^Property 'deleteToy' is missing/],
  ['a missing converter of items', /watchToys: .*\n/, '', /^Property 'watchToys' is missing/],
  ['a superfluous direction', /getToy: \{/, 'getToy: { reply: (reply: never) => reply,', /'reply' does not exist in type/],
  ['a superfluous operation', /getToy: \{/, 'createToy: { request: () => ({}) }, getToy: {', /'createToy' does not exist in type/],
  ['a superfluous component', /State: \{/, 'Names: { toOld: (names: never) => names }, State: {', /'Names' does not exist in type/],
  ['a misspelt direction', /getToy: \{ request/, 'getToy: { reqeust', /'reqeust' does not exist in type/],
  ['a leaked value of an enum', /\(state === 'dormant' \? 'dead' : state\)/, 'state', /"dormant"/],
  ['a leaked value of an enum, in a block', /\(state === 'dormant' \? 'dead' : state\)/, '{ return state; }', /"dormant"/],
  ['a leaked value of an enum in an object', /\{ \.\.\.event, kind: event\.kind \}/, "{ kind: 'changed' }", /"changed"/],
  ['a wrong status', /statuses: \{ 410: 404 \}/, 'statuses: { 410: 405 }', /'405' is not assignable to type '404/],
  ['a wrong status of a reply', /status: 200, body: \{ count/, 'status: 202, body: { count', /'202' is not assignable to type '200'/],
];

/** As `serve-version` writes it. */
const NONE = `{
  schemas: { Toy: {}, State: {}, NewToy: {} },
  operations: { listToys: {}, getToy: {}, deleteToy: {}, countToys: {}, watchToys: {} },
}`;

function withMistake([, pattern, replacement]: Mistake): string {
  if (!pattern.test(CONVERTERS)) throw new Error(`expected ${pattern} in the converters`);
  return CONVERTERS.replace(pattern, replacement);
}

describe('the converters of a served version', () => {
  const errors = errorsByVariant(
    { older: OLDER, newer: NEWER },
    new Map([
      ['complete', CONVERTERS],
      ['none', NONE],
      ...MISTAKES.map((each) => [each[0], withMistake(each)] as const),
    ]),
  );

  it('compile', () => {
    expect(errors.get('complete')).toEqual([]);
  });

  it('are listed by the compiler, one line each, where none is written', () => {
    const lines = errors.get('none')!.map(({ message }) => message);
    const missing = (member: string, type: string) =>
      `Property '${member}' is missing in type '{}' but required in type '${type}'.`;
    expect(lines).toEqual([
      ...[missing('toOld', 'ToyConverter'), missing('toOld', 'StateConverter')],
      ...[missing('toNew', 'NewToyConverter'), missing('request', 'listToysConverter')],
      ...[missing('request', 'getToyConverter'), missing('call', 'deleteToyConverter')],
      ...[missing('reply', 'countToysConverter'), missing('item', 'watchToysConverter')],
    ]);
  });

  it.each(MISTAKES)('fail for %s', (mistake, _pattern, _replacement, error) => {
    const messages = errors.get(mistake)!.map(({ message }) => message);
    // A misspelt converter does not exist, and its parameter has no type.
    expect(messages.length).toBeLessThanOrEqual(2);
    expect(messages.join('\n')).toMatch(error);
  });
});

describe('a component within another one, both with converters', () => {
  const REF = "{$ref: '#/components/schemas/Toy'}";
  const SHAPES = {
    own: [REF, '{ title: label + own.title }'],
    list: [`{type: array, items: ${REF}}`, 'list.map(({ title }) => ({ title: label + title }))'],
    lists: [
      `{type: array, items: {type: array, items: ${REF}}}`,
      'lists.map((each) => each.map(({ title }) => ({ title: label + title })))',
    ],
    one: [`{oneOf: [{type: 'null'}, ${REF}]}`, 'one && { title: label + one.title }'],
    mixed: [
      `{type: array, items: {oneOf: [{type: integer}, ${REF}]}}`,
      "mixed.map((each) => (typeof each === 'number' ? each : { title: label + each.title }))",
    ],
    map: [
      `{type: object, additionalProperties: ${REF}}`,
      'Object.fromEntries(Object.entries(map).map(([name, { title }]) => [name, { title: label + title }]))',
    ],
  };
  const names = Object.keys(SHAPES);
  const properties = Object.entries(SHAPES).map(([name, [schema]]) => `${name}: ${schema}`);
  const boxes = (name: string, label: string) => `
openapi: 3.1.0
info: {title: Boxes, version: '1'}
components:
  schemas:
    Toy: {type: object, required: [${name}], properties: {${name}: {type: string}}, additionalProperties: false}
    Box:
      type: object
      required: [${label}, ${names}]
      properties: {${label}: {type: string}, ${properties}}
      additionalProperties: false
paths:
  /boxes:
    post:
      operationId: addBox
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
`;
  const converters = (toys: string) => `{
  schemas: {
    Toy: { toNew: ({ name }) => ({ title: name }), toOld: ({ title }) => ({ name: title }) },
    Box: {
      toNew: ({ label, ${names} }) => ({ caption: label, ${toys} }),
      toOld: ({ caption, ...toys }) => ({ label: caption, ...toys }),
    },
  },
}`;
  const withData = Object.entries(SHAPES).map(([name, [, mapped]]) => `${name}: ${mapped}`);

  it('compile in arrays, alternatives and maps, also with data of the outer one', () => {
    const errors = errorsByVariant(
      { older: boxes('name', 'label'), newer: boxes('title', 'caption') },
      new Map([
        ['whole', converters(names.join())],
        ['with data', converters(withData.join())],
        ...names.map((name) => {
          const wrong = names.map((each) => (each === name ? `${name}: 7n` : each));
          return [name, converters(wrong.join())] as const;
        }),
      ]),
    );
    expect(errors.get('whole')).toEqual([]);
    expect(errors.get('with data')).toEqual([]);
    for (const name of names) expect([name, errors.get(name)?.length]).not.toEqual([name, 0]);
  });
});
