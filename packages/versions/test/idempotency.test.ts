// Idempotency keys of requests of older versions: they are those of the current contract.
import { describe, expect, it } from '@jest/globals';
import { Problem } from '@stubwright/contract';
import { memoryIdempotency } from 'stubwright/idempotency';
import type { EngineOptions } from 'stubwright/internals';
import { type Sent, served } from './support.ts';

const KEY = '{name: Idempotency-Key, in: header, x-idempotency: {ttl: 1h}, schema: {type: string}}';

const contract = (name: string, parameters = `[${KEY}]`) => `
paths:
  /toys:
    post:
      operationId: addToy
      parameters: ${parameters}
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [${name}], properties: {${name}: {type: string}}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: object, properties: {${name}: {type: string}, count: {type: integer}}}
        default: {description: no, content: {application/problem+json: {}}}
`;

const CONVERTERS = {
  operations: {
    addToy: {
      request: ({ body }: { body: { name: string } }) => ({ body: { title: body.name } }),
      reply: (reply: { body: { title: string; count: number } }) => {
        const { title: name, count } = reply.body;
        return { ...reply, body: { name, count } };
      },
    },
  },
};

interface Keyed {
  readonly header: Readonly<Record<string, string>>;
  readonly body: { readonly name: string };
}

/** A store whose transactions commit as those of a database do. */
function transactions() {
  const committed = new Map<string, unknown>();
  const ends: string[] = [];
  class Transaction {
    readonly saved: [string, unknown][] = [];
    async [Symbol.asyncDispose](outcome?: { kind: string; status?: number }) {
      ends.push(`${outcome?.kind} ${outcome?.status ?? ''}`.trim());
      if (outcome?.kind === 'replied') for (const each of this.saved) committed.set(...each);
    }
  }
  const expectTransaction = (context: unknown): Transaction => {
    if (context instanceof Transaction) return context;
    throw new TypeError('expected a transaction');
  };
  return {
    ends,
    context: () => new Transaction(),
    idempotency: {
      isTransactional: true,
      find: (context: unknown, { id }: { id: string }) => {
        expectTransaction(context);
        return committed.get(id);
      },
      save: (context: unknown, { id }: { id: string }, response: unknown) =>
        void expectTransaction(context).saved.push([id, response]),
    },
  };
}

async function service(
  options: Partial<EngineOptions<never>>,
  converters: unknown = CONVERTERS,
  current = contract('title'),
) {
  let count = 0;
  const { send } = await served({
    yaml: current,
    older: [{ version: '1.0.0', yaml: contract('name'), converters }],
    header: 'Version',
    handlers: {
      addToy: ({ body }: { body: { title: string } }) => {
        if (body.title === 'refused') throw new Problem(409, 'refused');
        return { status: 200, body: { ...body, count: ++count } };
      },
    } as never,
    ...options,
  });
  return {
    count: () => count,
    old: (key: string, name: string, more: Sent = {}) =>
      send('/toys', {
        headers: { version: '1.0.0', 'idempotency-key': key },
        body: { name },
        ...more,
      }),
    current: (key: string, title: string) =>
      send('/toys', { headers: { 'idempotency-key': key }, body: { title } }),
  };
}

describe('a request of an older version', () => {
  it('gets its response again, from its transaction', async () => {
    const { ends, ...options } = transactions();
    const { old, current, count } = await service(options as never);
    const first = await old('a', 'x');
    const again = await old('a', 'x');
    expect([first.body, again.body, count()]).toEqual([{ name: 'x', count: 1 }, first.body, 1]);
    expect((await old('a', 'y')).status).toBe(422);
    expect((await current('a', 'x')).body).toEqual({ title: 'x', count: 1 });
    expect((await current('b', 'x')).body).toEqual({ title: 'x', count: 2 });
    expect((await old('b', 'x')).body).toEqual({ name: 'x', count: 2 });
    expect(ends).toEqual([
      ...['replied 200', 'replied 200', 'failed', 'replied 200', 'replied 200', 'replied 200'],
    ]);
  });

  it('gets the headers of its response again, of each declared type', async () => {
    const types = {
      ...{ 'Idempotency-Replayed': '{type: boolean}', 'X-Count': '{type: integer}' },
      ...{ 'X-Id': '{type: integer, format: int64}', 'X-Rate': '{type: number}' },
      ...{ 'X-Names': '{type: array, items: {type: integer}}', 'X-Text': '{type: string}' },
      'X-Size': '{type: object, properties: {w: {type: integer}, h: {type: boolean}}}',
    };
    const declared = Object.entries(types).map(([name, schema]) => `${name}: {schema: ${schema}}`);
    const withHeaders = (name: string) =>
      contract(name).replace('200:', `200:\n          headers: {${declared.join(', ')}}`);
    const { send } = await served({
      yaml: withHeaders('title'),
      older: [{ version: '1.0.0', yaml: withHeaders('name'), converters: CONVERTERS }],
      ...{ header: 'Version', idempotency: memoryIdempotency() },
      handlers: {
        addToy: ({ body }: { body: object }) => ({
          status: 200,
          headers: {
            ...{ 'X-Count': 7, 'X-Id': 9007199254740993n, 'X-Rate': 0.5, 'X-Names': [1, 2] },
            ...{ 'X-Text': '7', 'X-Size': { w: 1, h: true } },
          },
          body,
        }),
      } as never,
    });
    const headers = { version: '1.0.0', 'idempotency-key': 'a' };
    const [first, again] = [
      await send('/toys', { headers, body: { name: 'x' } }),
      await send('/toys', { headers, body: { name: 'x' } }),
    ];
    expect([first.status, first.cause, first.headers]).toEqual([
      ...[200, undefined],
      expect.objectContaining({
        ...{ 'X-Count': '7', 'X-Id': '9007199254740993', 'X-Rate': '0.5', 'X-Names': '1,2' },
        ...{ 'X-Text': '7', 'X-Size': 'w,1,h,true' },
      }),
    ]);
    expect([again.status, again.headers]).toEqual([
      ...[200, { ...first.headers, 'Idempotency-Replayed': 'true' }],
    ]);
  });

  it('that fails has not used its key', async () => {
    const { ends, ...options } = transactions();
    const { old, count } = await service(options as never);
    expect((await old('a', 'refused')).status).toBe(409);
    expect((await old('a', 'x')).body).toEqual({ name: 'x', count: 1 });
    expect([ends, count()]).toEqual([['failed', 'replied 200'], 1]);
  });

  it('gets it again although a converter replaces errors', async () => {
    const { ends: _ends, ...options } = transactions();
    type Call = (request: object) => Promise<{ body: { title: string; count: number } }>;
    const call = async ({ header, body }: never, { addToy }: { addToy: Call }) => {
      try {
        const given = { header, body: { title: (body as { name: string }).name } };
        const { body: reply } = await addToy(given);
        return { status: 200, body: { name: reply.title, count: reply.count } };
      } catch {
        return { status: 200, body: { name: 'replaced', count: 0 } };
      }
    };
    const { old, count } = await service(options as never, { operations: { addToy: { call } } });
    const first = await old('a', 'x');
    expect((await old('a', 'x')).body).toEqual(first.body);
    expect([first.body, count()]).toEqual([{ name: 'x', count: 1 }, 1]);
  });

  it('may call an operation twice in one transaction, with two keys', async () => {
    const { ends, ...options } = transactions();
    type Call = (request: object) => Promise<{ body: { title: string; count: number } }>;
    const call = async ({ header, body }: Keyed, { addToy }: { addToy: Call }) => {
      const key = header['Idempotency-Key'];
      const replies = [];
      for (const at of [1, 2]) {
        const given = { 'Idempotency-Key': `${key} ${at}` };
        replies.push(await addToy({ header: given, body: { title: body.name } }));
      }
      const count = replies.reduce((sum, { body }) => sum + body.count, 0);
      return { status: 200, body: { name: replies[0]!.body.title, count } };
    };
    const { old, count } = await service(options as never, { operations: { addToy: { call } } });
    expect((await old('a', 'x')).body).toEqual({ name: 'x', count: 3 });
    expect((await old('a', 'x')).body).toEqual({ name: 'x', count: 3 });
    expect([count(), ends]).toEqual([2, ['replied 200', 'replied 200']]);
  });

  it('has no key if the current contract has none', async () => {
    const { addToy } = CONVERTERS.operations;
    const request = ({ body }: { body: { name: string } }) => ({
      header: {},
      body: { title: body.name },
    });
    const converters = { operations: { addToy: { ...addToy, request } } };
    const { old, count } = await service({}, converters, contract('title', '[]'));
    expect([(await old('a', 'x')).status, (await old('a', 'x')).status, count()]).toEqual([
      ...[200, 200, 2],
    ]);
  });

  it('is in progress once, and stored in memory without a context', async () => {
    const { old, count } = await service({ idempotency: memoryIdempotency() });
    const answers = await Promise.all(Array.from({ length: 5 }, () => old('a', 'x')));
    expect(answers.map(({ status }) => status).filter((each) => each === 200)).not.toEqual([]);
    expect((await old('a', 'x')).body).toEqual({ name: 'x', count: 1 });
    expect(count()).toBe(1);
  });
});
