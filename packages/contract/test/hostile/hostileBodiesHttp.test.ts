// Hostile bodies on real sockets: the steps of a validation grow with the body, and others are answered.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { Evaluation } from '../../src/schema/evaluation.ts';

const MAX_MESSAGE = 30_000;
const BODY_LIMIT = 1024 * 1024;
const CONTRACT = `paths:
  /other: {get: {operationId: other, responses: {'204': {description: ok}}}}
  /integers: {post: {operationId: integers, requestBody: {$ref: '#/components/requestBodies/Integers'}, responses: {'204': {description: ok}}}}
  /map: {post: {operationId: map, requestBody: {$ref: '#/components/requestBodies/Map'}, responses: {'204': {description: ok}}}}
  /closed: {post: {operationId: closed, requestBody: {$ref: '#/components/requestBodies/Closed'}, responses: {'204': {description: ok}}}}
  /few: {post: {operationId: few, requestBody: {$ref: '#/components/requestBodies/Few'}, responses: {'204': {description: ok}}}}
  /kinds: {post: {operationId: kinds, requestBody: {$ref: '#/components/requestBodies/Kinds'}, responses: {'204': {description: ok}}}}
  /equal: {post: {operationId: equal, requestBody: {$ref: '#/components/requestBodies/Equal'}, responses: {'204': {description: ok}}}}
  /form: {post: {operationId: form, requestBody: {$ref: '#/components/requestBodies/Form'}, responses: {'204': {description: ok}}}}
components:
  requestBodies:
    Integers: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Integer'}}}}}
    Map: {content: {application/json: {schema: {type: object, additionalProperties: {$ref: '#/components/schemas/Integer'}}}}}
    Closed: {content: {application/json: {schema: {type: object, additionalProperties: false}}}}
    Few: {content: {application/json: {schema: {type: array, maxItems: 100, items: {$ref: '#/components/schemas/Integer'}}}}}
    Kinds: {content: {application/json: {schema: {$ref: '#/components/schemas/Kind'}}}}
    Equal: {content: {application/json: {schema: {$ref: '#/components/schemas/Equal'}}}}
    Form: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: array, items: {$ref: '#/components/schemas/Integer'}}}}}}}
  schemas:
    Integer: {type: integer}
    Kind:
      oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]
      discriminator: {propertyName: kind}
    A: {type: object, required: [kind], properties: {kind: {type: string}, child: {$ref: '#/components/schemas/Kind'}}}
    B: {type: object, required: [kind], properties: {kind: {type: string}, child: {$ref: '#/components/schemas/Kind'}}}
    Equal:
      anyOf: [{$ref: '#/components/schemas/WithChild'}, {$ref: '#/components/schemas/WithChild'}]
    WithChild: {type: object, properties: {child: {$ref: '#/components/schemas/Equal'}, id: {type: integer, format: int64}}}
`;

const json = 'application/json';
const items = (length: number) => JSON.stringify(Array.from({ length }, () => ''));
const members = (length: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, ''])));
const nested = (depth: number, open: string, leaf: string) =>
  open.repeat(depth) + leaf + '}'.repeat(depth);

/** The body of a size, and the first size. */
const BODIES: Record<
  string,
  [path: string, type: string, size: number, body: (n: number) => string]
> = {
  'invalid items': ['/integers', json, 10_000, items],
  'more items than allowed': ['/few', json, 10_000, items],
  'invalid values of a map': ['/map', json, 10_000, members],
  'undeclared properties': ['/closed', json, 10_000, members],
  'alternatives without a kind': [
    '/kinds',
    json,
    48,
    (n) => nested(n, '{"kind":"A","child":', '{}'),
  ],
  'alternatives of two kinds': [
    '/kinds',
    json,
    48,
    (n) => nested(n, '{"kind":"A","child":', '{"kind":"A"}'),
  ],
  'equal alternatives': ['/equal', json, 48, (n) => nested(n, '{"id":1,"child":', '"x"')],
  'repeated fields': [
    '/form',
    'application/x-www-form-urlencoded',
    10_000,
    (n) => 'a=x&'.repeat(n),
  ],
};

let toy: Toy;
let steps = 0;

beforeAll(async () => {
  toy = await serveToy('3.1.0', CONTRACT, { bodyLimitBytes: BODY_LIMIT });
  const { isValid } = Evaluation.prototype;
  jest.spyOn(Evaluation.prototype, 'isValid').mockImplementation(function count(
    this: Evaluation,
    ...call
  ) {
    steps++;
    return isValid.apply(this, call);
  });
});
afterAll(() => toy.close());

describe('a hostile body', () => {
  it.each(Object.entries(BODIES))(
    'of %s takes linear steps',
    async (_, [path, type, size, body]) => {
      const counts: number[] = [];
      for (const factor of [1, 2, 4]) {
        steps = 0;
        const text = body(size * factor);
        const hostile = toy.fetch(path, {
          method: 'POST',
          headers: { 'Content-Type': type },
          body: text,
        });
        const others = Array.from({ length: 5 }, () => toy.fetch('/other'));
        const answer = await hostile;
        expect(answer.status).toBe(400);
        expect(answer.text.length).toBeLessThan(MAX_MESSAGE);
        for (const other of await Promise.all(others)) expect(other.status).toBe(204);
        counts.push(steps);
      }
      const growth = [1, 2].map((at) => counts[at]! / Math.max(counts[at - 1]!, 2_000));
      expect({ growth, counts, isLinear: growth.every((each) => each < 3) }).toMatchObject({
        isLinear: true,
      });
    },
  );
});
