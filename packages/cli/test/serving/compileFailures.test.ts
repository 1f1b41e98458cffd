// What must not compile in the converters of a served version, and the first line of each error.
import { describe, expect, it } from '@jest/globals';
import { CONVERTERS, NEWER, OLDER } from './books.ts';
import { errorsByVariant } from './compiled.ts';

type Mistake = readonly [mistake: string, pattern: RegExp, replacement: string, error: RegExp];

// biome-ignore format: a table
const MISTAKES: readonly Mistake[] = [
  ['a missing converter of a component', /Book: \{\n.*toOld.*\n {4}\},\n/, '', /^Property 'Book' is missing/],
  ['a missing direction', /toOld: \(\{ titles.*\n/, '', /^Property 'toOld' is missing/],
  ['a missing converter of requests', /getBook: .*\n/, '', /^Property 'getBook' is missing/],
  ['a missing converter of replies', /countBooks: \{\n.*\n {4}\},\n/, '', /^Property 'countBooks' is missing/],
  ['a missing converter of a constraint', /listBooks: .*\n/, '', /^Property 'listBooks' is missing/],
  ['a missing call of a removed operation', /deleteBook: \{\n.*\n.*\n.*\n.*\n {4}\},\n/, '', /^Property 'deleteBook' is missing/],
  ['a missing converter of items', /watchBooks: .*\n/, '', /^Property 'watchBooks' is missing/],
  ['a superfluous direction', /getBook: \{/, 'getBook: { reply: (reply: never) => reply,', /'reply' does not exist in type/],
  ['a superfluous operation', /getBook: \{/, 'placeBook: { request: () => ({}) }, getBook: {', /'placeBook' does not exist in type/],
  ['a superfluous component', /State: \{/, 'Titles: { toOld: (titles: never) => titles }, State: {', /'Titles' does not exist in type/],
  ['a misspelt direction', /getBook: \{ request/, 'getBook: { reqeust', /'reqeust' does not exist in type/],
  ['a leaked value of an enum', /\(state === 'in' \? 'in' : 'out'\)/, 'state', /"lent"/],
  ['a leaked value of an enum, in a block', /\(state === 'in' \? 'in' : 'out'\)/, '{ return state; }', /"lent"/],
  ['a leaked value of an enum in an object', /\{ \.\.\.item, kind: item\.kind \}/, "{ kind: 'changed' }", /"changed"/],
  ['a wrong status', /statuses: \{ 410: 404 \}/, 'statuses: { 410: 405 }', /'405' is not assignable to type '4/],
  ['a wrong status of a reply', /status: 200, body: \{ count/, 'status: 202, body: { count', /'202' is not assignable to type '200'/],
];

/** As `serve-version` writes it. */
const NONE = `{
  schemas: { Book: {}, State: {}, NewBook: {}, Place: {} },
  operations: { listBooks: {}, getBook: {}, deleteBook: {}, countBooks: {}, watchBooks: {} },
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
    const missing = (member: string, name: string) =>
      `Property '${member}' is missing in type '{}' but required in type '${name}Converter'.`;
    const missingBoth = (name: string) =>
      `Type '{}' is missing the following properties from type '${name}Converter': toNew, toOld`;
    expect(lines).toEqual([
      ...[missing('toOld', 'Book'), missingBoth('State')],
      ...[missing('toNew', 'NewBook'), missingBoth('Place')],
      ...[missing('request', 'listBooks'), missing('request', 'getBook')],
      ...[missing('call', 'deleteBook'), missing('reply', 'countBooks')],
      missing('item', 'watchBooks'),
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

it('a component composed of another one, both with converters, receives the parts of both', () => {
  const post = (id: string, schema: string) => `
  /${id}:
    post:
      operationId: ${id}
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}}
      responses: {204: {description: ok}}`;
  const toys = (name: string) => `
openapi: 3.1.0
info: {title: Toys, version: '1'}
components:
  schemas:
    Toy: {type: object, required: [${name}], properties: {${name}: {type: string}}}
    Train: {allOf: [{$ref: '#/components/schemas/Toy'}, {type: object, required: [cars], properties: {cars: {type: integer}}}]}
paths:${post('addToy', 'Toy')}${post('addTrain', 'Train')}
`;
  const converters = `{
  schemas: {
    Toy: { toNew: ({ name }) => ({ title: name }) },
    Train: { toNew: ({ name, cars }) => ({ title: name, cars }) },
  },
}`;
  const contracts = { older: toys('name'), newer: toys('title') };
  const errors = errorsByVariant(contracts, new Map([['both', converters]]));
  expect(errors.get('both')).toEqual([]);
});
