// The bodies of outgoing messages, by media type.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { InvalidReply } from '../src/index.ts';
import { outgoingMessages } from '../src/outgoing.ts';

const SCHEMA = {
  type: 'object',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    secret: { type: 'string', writeOnly: true },
  },
};

/** @param requestBody of the webhook `sold` */
function sold(requestBody: object | undefined) {
  const post = { requestBody, responses: {} };
  const definition = new Contract({
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
    webhooks: { sold: { post: requestBody === undefined ? { responses: {} } : post } },
  });
  return outgoingMessages(definition).get('sold')!;
}

const ofType = (type: string, schema?: object, required = false) =>
  sold({ required, content: { [type]: schema === undefined ? {} : { schema } } });

describe('the body of a message', () => {
  it.each([
    ['application/json', SCHEMA, { id: 2n ** 62n, other: 1 }, '{"id":4611686018427387904}'],
    ['application/json', SCHEMA, { id: 1, secret: 'x' }, '{"id":1}'],
    ['application/x-www-form-urlencoded', SCHEMA, { id: 7n, other: 1 }, 'id=7'],
    ['application/xml', { ...SCHEMA, xml: { name: 'toy' } }, { id: 7n }, '<toy><id>7</id></toy>'],
    ['text/plain', { type: 'string' }, 'né', 'né'],
    ['application/json', {}, null, 'null'],
  ])('is valid and has the declared properties only: %s', (type, schema, body, text) => {
    const written = ofType(type, schema).write(body);
    expect({ ...written, body: written.body.replace(/^<\?xml.*\?>\s*/, '') }).toEqual({
      ...{ method: 'POST', type, body: text },
    });
  });

  it.each([
    ['x', 'text/plain; charset=utf-8', 'x'],
    [{ id: 1 }, 'application/json', '{"id":1}'],
  ])('has the type of its value for a media type range: %j', (body, type, text) => {
    const operation = ofType('*/*', {});
    expect(operation.write(body)).toEqual({ method: 'POST', type, body: text });
    expect(operation.write(body)).toMatchObject({ type, body: text });
  });

  it.each([
    ['application/json', SCHEMA, {}, 'sold: /id is required'],
    ['application/json', SCHEMA, { id: 2n ** 63n }, 'sold: /id expected an int64 integer'],
    ['text/plain', undefined, {}, 'sold: expected text or bytes'],
    ['multipart/form-data', SCHEMA, {}, 'sold: /id is required'],
  ])('that violates the contract is refused: %s', (type, schema, body, message) => {
    expect(() => ofType(type, schema).write(body)).toThrow(new InvalidReply(message));
  });

  it.each<[string, object | undefined, unknown]>([
    ['application/octet-stream', undefined, new Uint8Array(2)],
    ['*/*', undefined, new Blob(['x'])],
    ['multipart/form-data', SCHEMA, { id: 1n }],
    ['application/jsonl', { type: 'array', items: SCHEMA }, [{ id: 1n }]],
    ['*/*', {}, undefined],
  ])('that is not text is refused: %s', (type, schema, body) => {
    const write = () => ofType(type, schema, true).write(body);
    expect(write).toThrow(new TypeError('sold: expected a text body, such as JSON'));
  });

  it('is absent if it is optional or not declared, and refused if not declared', () => {
    const none = { method: 'POST', type: undefined, body: '' };
    expect(ofType('application/json', SCHEMA).write(undefined)).toEqual(none);
    expect(() => ofType('application/json', SCHEMA, true).write(undefined)).toThrow(InvalidReply);
    expect(sold(undefined).write(undefined)).toEqual(none);
    const message = 'sold: the contract declares no body';
    expect(() => sold(undefined).write({})).toThrow(new TypeError(message));
    expect(() => sold({ content: {} }).write({})).toThrow(new TypeError(message));
  });
});
