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
  ['a superfluous direction', /getToy: \{/, 'getToy: { reply: (reply: never) => reply,', /'reply' does not exist in type 'converters_of_getToy'/],
  ['a superfluous operation', /getToy: \{/, 'createToy: { request: () => ({}) }, getToy: {', /'createToy' does not exist in type 'converters_of_operations'/],
  ['a superfluous component', /State: \{/, 'Names: { toOld: (names: never) => names }, State: {', /'Names' does not exist in type 'converters_of_schemas'/],
  ['a misspelt direction', /getToy: \{ request/, 'getToy: { reqeust', /'reqeust' does not exist in type 'converters_of_getToy'.*'request'/],
  ['a misspelt step', /'query parameter limit maximum/, "'query parameter limits maximum", /query parameter limits maximum 100 became 50'.* does not exist in type 'steps_for_requests_of_listToys'/],
  ['a leaked value of an enum', /\(state === 'dormant' \? 'dead' : state\)/, 'state', /not assignable to type 'State_in_replies_of_listToys_and_2_more'/],
  ['a leaked value of an enum, in a block', /\(state === 'dormant' \? 'dead' : state\)/, '{ return state; }', /not assignable to type 'State_to_old_in_replies_of_listToys_and_2_more'/],
  ['a leaked value of an enum in an object', /\{ \.\.\.event, kind: event\.kind \}/, "{ kind: 'changed' }", /kind_in_items_of_watchToys/],
  ['a wrong status', /statuses: \{ 410: 404 \}/, 'statuses: { 410: 405 }', /'405' is not assignable to type 'status_in_replies_of_createToy/],
  ['a wrong status of a reply', /status: 200, body: \{ count/, 'status: 202, body: { count', /not assignable to type 'replies_of_countToys/],
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
    expect(messages[0]!.length).toBeLessThanOrEqual(200);
    expect(messages[0]).toMatch(/(?:of|in)[_ ](?:\w+Toys?\b|listToys_|schemas|operations)/);
  });
});
