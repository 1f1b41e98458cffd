// What must not compile in the converters of a served version, and the first line of each error.
import { describe, expect, it } from '@jest/globals';
import { errorsByVariant } from './compiled.ts';
import { CONVERTERS, NEWER, OLDER } from './toys.ts';

type Mistake = readonly [mistake: string, pattern: RegExp, replacement: string, error: RegExp];

// biome-ignore format: a table
const MISTAKES: readonly Mistake[] = [
  ['a missing converter of a component', /Toy: \{\n.*toOld.*\n {4}\},\n/, '', /"replies of listToys and 2 more: expected schemas\.Toy\.toOld/],
  ['a missing converter of requests', /getToy: .*\n/, '', /"requests of getToy: expected operations\.getToy\.request/],
  ['a missing converter of replies', /countToys: \{\n.*\n {4}\},\n/, '', /"replies of countToys: expected operations\.countToys\.reply/],
  ['a missing step for a constraint', /'\/note maxLength.*\n/, '', /"requests of createToy: expected schemas\.NewToy\.toNewSteps\['\/note maxLength 100 became 50'\]/],
  ['a missing call of a removed operation', /deleteToy: \{\n.*\n.*\n.*\n.*\n {4}\},\n/, '', /"calls of deleteToy: expected operations\.deleteToy\.call/],
  ['a missing converter of items', /watchToys: .*\n/, '', /"items of watchToys: expected operations\.watchToys\.item/],
  ['a superfluous direction', /getToy: \{/, 'getToy: { reply: (reply: never) => reply,', /'reply' does not exist in type/],
  ['a superfluous operation', /getToy: \{/, 'createToy: { request: () => ({}) }, getToy: {', /'createToy' does not exist in type/],
  ['a superfluous component', /State: \{/, 'Names: { toOld: (names: never) => names }, State: {', /'Names' does not exist in type/],
  ['a misspelt direction', /getToy: \{ request/, 'getToy: { reqeust', /'reqeust' does not exist in type/],
  ['a misspelt step', /'query parameter limit maximum/, "'query parameter limits maximum", /query parameter limits maximum 100 became 50'.* does not exist in type/],
  ['a leaked value of an enum', /\(state === 'dormant' \? 'dead' : state\)/, 'state', /"dormant"/],
  ['a leaked value of an enum, in a block', /\(state === 'dormant' \? 'dead' : state\)/, '{ return state; }', /"dormant"/],
  ['a leaked value of an enum in an object', /\{ \.\.\.event, kind: event\.kind \}/, "{ kind: 'changed' }", /"changed"/],
  ['a wrong status', /statuses: \{ 410: 404 \}/, 'statuses: { 410: 405 }', /'405' is not assignable to type '404/],
  ['a wrong status of a reply', /status: 200, body: \{ count/, 'status: 202, body: { count', /'202' is not assignable to type '200'/],
];

function withMistake([, pattern, replacement]: Mistake): string {
  if (!pattern.test(CONVERTERS)) throw new Error(`expected ${pattern} in the converters`);
  return CONVERTERS.replace(pattern, replacement);
}

describe('the converters of a served version', () => {
  const errors = errorsByVariant(
    { older: OLDER, newer: NEWER },
    new Map([
      ['complete', CONVERTERS],
      ['none', '{}'],
      ...MISTAKES.map((each) => [each[0], withMistake(each)] as const),
    ]),
  );

  it('compile', () => {
    expect(errors.get('complete')).toEqual([]);
  });

  it('are listed by the compiler, one line each, where none is written', () => {
    const lines = errors.get('none')!.map(({ message }) => message);
    expect(lines.map((each) => /"([^:]*): /.exec(each)?.[1])).toEqual([
      ...['replies of listToys and 2 more', 'replies of listToys and 2 more'],
      ...['requests of createToy', 'requests of createToy', 'requests of listToys'],
      ...['requests of getToy', 'calls of deleteToy', 'replies of countToys', 'items of watchToys'],
    ]);
  });

  it.each(MISTAKES)('fail for %s', (mistake, _pattern, _replacement, error) => {
    const messages = errors.get(mistake)!.map(({ message }) => message);
    // Of a misspelt converter: it is missing, the other does not exist, and its parameter has no type.
    expect(messages.length).toBeLessThanOrEqual(3);
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
