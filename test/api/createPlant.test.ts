import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { call } from '../support/http.ts';
import {
  authorized,
  json,
  startTestService,
  storedPlants,
  type TestService,
} from '../support/service.ts';

let service: TestService;
let nextId = 1;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

function freshId(): number {
  return nextId++;
}

describe('POST /plants', () => {
  it('returns 200 with name and tag, without the id', async () => {
    const answer = await service.create({ id: freshId(), name: 'Monstera', tag: 'tropical' });
    expect(answer.status).toBe(200);
    expect(answer.body).toBe('{"name":"Monstera","tag":"tropical"}');
  });

  it('omits the tag of a plant without one', async () => {
    const answer = await service.create({ id: freshId(), name: 'Aloe' });
    expect(answer.body).toBe('{"name":"Aloe"}');
  });

  it('accepts an empty name and an empty tag', async () => {
    const answer = await service.create({ id: freshId(), name: '', tag: '' });
    expect(answer.body).toBe('{"name":"","tag":""}');
  });

  it('ignores undeclared properties, and returns none', async () => {
    const answer = await service.create({
      id: freshId(),
      name: 'Fern',
      secret: 'x',
      __proto__x: 1,
    });
    expect(answer.body).toBe('{"name":"Fern"}');
  });

  it('sends only headers that the contract or HTTP defines', async () => {
    const { headers } = await service.create({ id: freshId(), name: 'Fern' });
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'date',
      'x-content-type-options',
    ]);
  });

  it('returns any valid plant exactly', async () => {
    const text = fc.string({ unit: codePoint }).map((each) => each.replaceAll('\0', ''));
    const plants = fc.record({ name: text, tag: text }, { requiredKeys: ['name'] });
    await fc.assert(
      fc.asyncProperty(plants, async (plant) => {
        const { status, body } = await service.create({ id: freshId(), ...plant });
        expect(status).toBe(200);
        expect(JSON.parse(body)).toEqual({ ...plant });
      }),
      { numRuns: runs(200) },
    );
  });

  it('returns 200 or a declared error for any JSON value, never 500', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 8 }), async (body) => {
        const { status } = await service.create(body);
        expect([200, 400, 409]).toContain(status);
      }),
      { numRuns: runs(300) },
    );
  });

  it('returns 400 for arbitrary bytes as a body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (bytes) => {
        const { status } = await service.create(Buffer.from(bytes));
        expect(status).toBe(400);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('the id of POST /plants', () => {
  const EXACT = [
    ['0', 0n],
    ['-1', -1n],
    ['1.0', 1n],
    ['1e2', 100n],
    ['9007199254740991', 9007199254740991n],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775806.0', 9223372036854775806n],
    ['9.223372036854775805e18', 9223372036854775805n],
    ['-9223372036854775808', -9223372036854775808n],
  ] as const;

  it('is stored exactly', async () => {
    const own = await startTestService();
    for (const [digits] of EXACT) {
      const { status } = await own.create(`{"id":${digits},"name":"${digits}"}`);
      expect([digits, status]).toEqual([digits, 200]);
    }
    // The same id as 0.
    expect((await own.create('{"id":-0,"name":"0"}')).status).toBe(200);
    await own.stop();
    const stored = storedPlants(own.databaseFile).map(({ id, name }) => [name, id]);
    expect(stored).toEqual(EXACT.toSorted(([, a], [, b]) => (a < b ? -1 : 1)));
    await own.remove();
  });

  it.each(['9223372036854775808', '9223372036854775807.5', '1e400', '1.5', '"1"'])(
    '%s is rejected with 400',
    async (digits) => {
      const { status } = await service.create(`{"id":${digits},"name":"x"}`);
      expect(status).toBe(400);
    },
  );

  it('returns 200 for a retry with the same plant', async () => {
    const plant = { id: freshId(), name: 'Fern', tag: 'green' };
    await service.create(plant);
    const { status, body } = await service.create(plant);
    expect([status, body]).toEqual([200, '{"name":"Fern","tag":"green"}']);
  });

  it.each([
    ['another name', { name: 'Oak', tag: 'green' }],
    ['another tag', { name: 'Fern', tag: 'red' }],
    ['no tag', { name: 'Fern' }],
    ['an empty tag', { name: 'Fern', tag: '' }],
  ])('returns 409 when it belongs to another plant (%s)', async (_, other) => {
    const id = freshId();
    await service.create({ id, name: 'Fern', tag: 'green' });
    const { status, body } = await service.create({ id, ...other });
    expect(status).toBe(409);
    expect(JSON.parse(body)).toEqual({ error: 40900, message: `id ${id} holds another plant` });
    expect((await service.create({ id, name: 'Fern', tag: 'green' })).status).toBe(200);
  });

  it('is won by exactly one of 60 concurrent rivals', async () => {
    const id = freshId();
    const rivals = Array.from({ length: 60 }, (_, at) =>
      service.create({ id, name: `rival ${at}` }),
    );
    const statuses = (await Promise.all(rivals)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(59);
  });

  it('is stored once for 60 concurrent retries', async () => {
    const own = await startTestService();
    const retries = Array.from({ length: 60 }, () => own.create({ id: 7, name: 'Fern' }));
    const answers = await Promise.all(retries);
    await own.stop();
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(storedPlants(own.databaseFile)).toEqual([{ id: 7n, name: 'Fern', tag: null }]);
    await own.remove();
  });
});

describe('a body that violates the schema', () => {
  it.each<[string, unknown, string[]]>([
    ['has no field', {}, ['/name is required', '/id is required']],
    [
      'has wrong types',
      { id: 'x', name: 1, tag: null },
      ['/id expected an int64 integer', '/name expected string', '/tag expected string'],
    ],
    [
      'holds U+0000',
      { id: 1, name: 'a\0', tag: '\0' },
      ['/name expected to match pattern', '/tag expected to match pattern'],
    ],
    ['is an array without end', '['.repeat(100_000), ['expected object']],
  ])('that %s gets 400 with the JSON pointer of every violation', async (_, body, faults) => {
    const answer = await service.create(body);
    expect(answer.status).toBe(400);
    const { error, message } = JSON.parse(answer.body);
    expect(error).toBe(40000);
    for (const fault of faults) expect(message).toContain(fault);
  });

  it.each([
    ['is cut off', '{"id":1'],
    ['holds a lone surrogate', '{"id":1,"name":"\\ud800"}'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['holds a key twice', '{"id":1,"name":"x","id":2}'],
    [
      'nests 5,000 deep inside a plant',
      `{"id":1,"name":"x","y":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`,
    ],
    ['nests without end', '{"y":'.repeat(20_000)],
  ])('that %s gets 400 malformed JSON', async (_, body) => {
    const answer = await service.create(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error).toBe(40001);
  });

  it.each([
    ['no body at all', { headers: authorized }],
    ['an empty body', { headers: { ...authorized, ...json, 'Content-Length': '0' } }],
    [
      'an empty chunked body',
      { headers: { ...authorized, ...json, 'Transfer-Encoding': 'chunked' } },
    ],
  ])('which is %s gets 400', async (_, options) => {
    const answer = await call(service.url, options);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error).toBe(40002);
  });

  it('returns 400 quickly for a number of one million digits', async () => {
    const { status } = await service.create(`{"id":${'9'.repeat(1_000_000)},"name":"x"}`);
    expect(status).toBe(400);
  });

  it('returns 400 for a million zeros before the last digit', async () => {
    const { status } = await service.create(`{"id":0.${'0'.repeat(1_000_000)}1,"name":"x"}`);
    expect(status).toBe(400);
  });
});
