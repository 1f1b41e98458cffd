// The types of the converters of webhooks: what compiles, and the first line of each error.
import { describe, expect, it } from '@jest/globals';
import { skeleton } from '../../src/serving/skeleton.ts';
import { versionTypes } from '../../src/serving/versionTypes.ts';
import { contractOf, errorsByVariant } from './compiled.ts';

const webhook = (name: string, schema: string) => `
  ${name}:
    post:
      operationId: on_${name}
      requestBody: {required: true, content: {application/json: {schema: ${schema}}}}
      responses: {204: {description: ok}}`;

const TOY = "{$ref: '#/components/schemas/Toy'}";

const OLDER = `
openapi: 3.1.0
info: {title: Toys, version: 1.4.0}
paths: {}
webhooks:${webhook('toySold', `{type: object, required: [sold, state], properties: {sold: ${TOY}, state: {type: string, enum: [sold, lost]}, note: {type: string, maxLength: 10}}}`)}${webhook('toy-moved', TOY)}${webhook('toyLost', TOY)}
components: {schemas: {Toy: {type: object, required: [id, name], properties: {id: {type: integer, format: int64}, name: {type: string}}}}}
`;

const NEWER = `
openapi: 3.1.0
info: {title: Toys, version: 2.0.0}
paths: {}
webhooks:${webhook('toySold', `{type: object, required: [toy, state], properties: {toy: ${TOY}, state: {type: string, enum: [sold, lost, broken]}, note: {type: string, maxLength: 20}}}`)}${webhook('toy-moved', TOY)}${webhook('toyFound', TOY)}
components: {schemas: {Toy: {type: object, required: [id, names], properties: {id: {type: integer, format: int64}, names: {type: array, items: {type: string}}}}}}
`;

const CONVERTERS = `{
  schemas: {
    Toy: { toOld: ({ id, names }) => ({ id, name: names[0] ?? '' }) },
  },
  webhooks: {
    toySold: {
      request: ({ body: { toy, state, note } }) => (
        state === 'broken' ? undefined : { body: { sold: toy, state, ...(note !== undefined && { note }) } }
      ),
      requestSteps: { 'request body /note maxLength 10 became 20': ({ body }) => ({ body: { ...body, note: 'n' } }) },
    },
  },
}`;

// biome-ignore format: a table
const MISTAKES: readonly (readonly [mistake: string, pattern: RegExp, replacement: string, error: RegExp])[] = [
  ['a missing converter', /request: (?:.|\n)*?,\n {6}requestSteps/, 'requestSteps', /"messages of toySold: expected webhooks\.toySold\.request: request body /],
  ['a missing step', /requestSteps.*\n/, '', /"messages of toySold: expected webhooks\.toySold\.requestSteps\['request body \/note maxLength 10 became 20'\]/],
  ['a missing component', /Toy: .*\n/, '', /"replies of toy-moved: expected schemas\.Toy\.toOld/],
  ['a superfluous webhook', /toySold: \{/, "'toy-moved': { request: (message: never) => message }, toySold: {", /''toy-moved'' does not exist in type 'converters_of_webhooks'/],
  ['a superfluous direction', /toySold: \{/, 'toySold: { reply: (reply: never) => reply,', /'reply' does not exist in type 'converters_of_toySold'/],
  ['an identity', /request: (?:.|\n)*?,\n {6}requestSteps/, 'request: (message) => message, requestSteps', /not assignable to type '.*messages_of_toySold/],
  ['a leaked value of an enum', /state === 'broken' \? undefined : /, '', /not assignable to type 'state_in_messages_of_toySold/],
];

describe('the converters of webhooks', () => {
  const errors = errorsByVariant(
    { older: OLDER, newer: NEWER },
    new Map([
      ['complete', CONVERTERS],
      ['none', '{}'],
      ...MISTAKES.map(([name, pattern, replacement]) => {
        expect(CONVERTERS).toMatch(pattern);
        return [name, CONVERTERS.replace(pattern, replacement)] as const;
      }),
    ]),
  );

  it('compile', () => {
    expect(errors.get('complete')).toEqual([]);
  });

  it('are listed by the compiler where none is written', () => {
    const lines = errors.get('none')!.map(({ message }) => /"([^:]*): /.exec(message)?.[1]);
    expect(lines).toEqual([
      ...['replies of toy-moved', 'messages of toySold', 'messages of toySold'],
    ]);
  });

  it.each(MISTAKES)('fail for %s', (mistake, _pattern, _replacement, error) => {
    const messages = errors.get(mistake)!.map(({ message }) => message);
    expect(messages.join('\n')).toMatch(error);
    expect(messages[0]!.length).toBeLessThanOrEqual(200);
  });

  it('are to do in the module of a new version, and the removed webhook is not', () => {
    const contracts = { older: contractOf(OLDER), newer: contractOf(NEWER) };
    const converters = 'src/versions/1.4.0.ts';
    const { plan } = versionTypes({ version: '1.4.0', ...contracts, converters });
    expect(skeleton(plan, { version: '1.4.0', converters })).toContain(`
// - webhooks.toySold.requestSteps["request body /note maxLength 10 became 20"], messages of toySold: request body /note maxLength 10 became 20
`);
    expect(plan.unconverted.map(({ rule, operations }) => [rule, operations])).toEqual([
      ['webhook-removed', ['webhook toyLost']],
    ]);
  });
});
