// The parts of a call that are converted: parameters, bodies and their items, headers and bodies of replies.
import { describe, expect, it } from '@jest/globals';
import { int64AsString, withConversions } from '../src/conversions.ts';
import { UndeclaredResponse } from '../src/index.ts';

const ID = { properties: { id: int64AsString } };
const JSON_TYPE = 'application/json';
const LINES = 'application/jsonl';

type Request = Readonly<Record<string, unknown>>;

/** @returns what the operation sends, and the reply that its caller gets */
async function called(spec: object, request: Request, reply: object = {}) {
  const sent: Request[] = [];
  const operation = Object.assign(
    async (_connection: unknown, each: Request) => {
      sent.push(each);
      const response = new Response();
      return { operationId: 'getToy', status: 200, headers: {}, response, ...reply };
    },
    { operationId: 'getToy' },
  );
  const call = withConversions(operation as never, spec) as unknown as (
    connection: unknown,
    request: Request,
  ) => Promise<Readonly<Record<string, unknown>>>;
  const received = await call({}, request);
  return { sent: sent[0]!, received };
}

async function allOf(items: unknown): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>) all.push(item);
  return all;
}

async function* itemsOf(...items: readonly unknown[]) {
  yield* items;
}

describe('a converted request', () => {
  it.each(['path', 'query', 'header', 'cookie'])('has converted parameters: %s', async (part) => {
    const request = { [part]: { id: '9007199254740993' }, other: { id: '1' } };
    const { sent } = await called({ [part]: ID }, request);
    expect(sent).toEqual({ [part]: { id: 9007199254740993n }, other: { id: '1' } });
    await expect(called({ [part]: ID }, { [part]: { id: 'x' } })).rejects.toThrow(`${part}/id`);
    expect((await called({ [part]: ID }, {})).sent).toEqual({});
  });

  it('has a body as its media type says, the first one by default', async () => {
    const bodies = { [JSON_TYPE]: ID, 'text/plain': { properties: {} } };
    const body = { id: '1' };
    expect((await called({ bodies }, { body })).sent.body).toEqual({ id: 1n });
    const { sent } = await called({ bodies }, { body, mediaType: 'text/plain' });
    expect(sent.body).toEqual({ id: '1' });
  });

  it('has converted items of a sequence', async () => {
    const bodies = { [LINES]: { items: ID } };
    for (const body of [itemsOf({ id: '1' }, { id: '2' }), new Set([{ id: '1' }, { id: '2' }])]) {
      const { sent } = await called({ bodies }, { body });
      expect(await allOf(sent.body)).toEqual([{ id: 1n }, { id: 2n }]);
    }
    const { sent } = await called({ bodies }, { body: itemsOf({ id: '1' }, { id: 'x' }) });
    await expect(allOf(sent.body)).rejects.toThrow('body/1/id');
  });

  it('keeps bytes and forms', async () => {
    const bodies = { [JSON_TYPE]: ID };
    const bytes = new Uint8Array([1]);
    expect((await called({ bodies }, { body: bytes })).sent.body).toBe(bytes);
  });
});

describe('a converted reply', () => {
  const replies = {
    200: { headers: ID, content: { [JSON_TYPE]: ID, [LINES]: { items: ID } } },
  };

  it('has converted headers and a converted body', async () => {
    const reply = { headers: { id: 1n }, type: JSON_TYPE, body: { id: 9007199254740993n } };
    const { received } = await called({ replies }, {}, reply);
    expect(received).toMatchObject({ headers: { id: '1' }, body: { id: '9007199254740993' } });
    const other = await called({ replies }, {}, { ...reply, status: 404 });
    expect(other.received).toMatchObject({ headers: { id: 1n }, body: { id: 9007199254740993n } });
    await expect(called({ replies }, {}, { ...reply, body: { id: 'x' } })).rejects.toThrow(
      UndeclaredResponse,
    );
  });

  it('has converted items, and frees the connection after a wrong one', async () => {
    let isFreed = false;
    async function* items() {
      try {
        yield* [{ id: 1n }, { id: 'x' }, { id: 3n }];
      } finally {
        isFreed = true;
      }
    }
    const { received } = await called({ replies }, {}, { type: LINES, body: items() });
    const body = received.body as AsyncIterator<unknown>;
    expect(await body.next()).toEqual({ done: false, value: { id: '1' } });
    await expect(body.next()).rejects.toThrow('body/1/id');
    expect(isFreed).toBe(true);
    const end = await called({ replies }, {}, { type: LINES, body: itemsOf({ id: 1n }) });
    expect(await allOf(end.received.body)).toEqual([{ id: '1' }]);
  });
});
