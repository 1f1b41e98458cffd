// Streams of events and JSON values, however the network splits them.
import { describe, expect, it } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import fc from 'fast-check';
import { sendMultipart } from '../src/bodies.ts';
import { toJson } from '../src/json.ts';
import { receiveEvents, receiveJsonLines, sendEvents, sendJsonLines } from '../src/streams.ts';
import { testReading } from './support/reading.ts';

function responseOf(chunks: readonly Uint8Array[], type = 'text/plain'): Response {
  const left = [...chunks];
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
    }),
    { headers: { 'Content-Type': type } },
  );
}

async function itemsOf(
  reader: ReturnType<typeof receiveEvents>,
  chunks: readonly Uint8Array[],
  type?: string,
) {
  const items: unknown[] = [];
  const body = (await reader(responseOf(chunks, type), testReading())) as AsyncIterable<unknown>;
  for await (const item of body) items.push(item);
  return items;
}

function split(text: string, at: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const ends = [...at.map((each) => each % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}

const EVENTS = [
  '\ufeff: comment',
  'data: first',
  '',
  'id: 1',
  'event:add',
  'data:{"é": 1}',
  'data',
  'data:  two',
  'retry: 10',
  'other: x',
  '',
  'retry: x',
  'event: nothing',
  '',
  'data: after',
  '',
  'data: incomplete',
].join('\n');

describe('receiveEvents', () => {
  it.each(['\n', '\r\n', '\r'])('reads events with lines that end with %j', async (end) => {
    const text = EVENTS.replaceAll('\n', end);
    const ofOneByte = [...Buffer.from(text).keys()];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 6 }), async (at) => {
        expect(await itemsOf(receiveEvents(), split(text, at))).toEqual([
          { event: undefined, data: 'first', id: undefined, retry: undefined },
          { event: 'add', data: '{"é": 1}\n\n two', id: '1', retry: 10 },
          { event: undefined, data: 'after', id: '1', retry: undefined },
        ]);
      }),
      { numRuns: 40, examples: [[ofOneByte]] },
    );
  });

  it('reads data as JSON with exact integers', async () => {
    const text = 'data: {"id": 9007199254740993}\n\n';
    const events = await itemsOf(receiveEvents({ properties: { id: 1 } }), split(text, []));
    expect(events).toMatchObject([{ data: { id: 9007199254740993n } }]);
  });

  it('frees the connection when a loop ends early', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel() {
        isCancelled = true;
      },
    });
    const events = (await receiveEvents()(
      new Response(body),
      testReading(),
    )) as AsyncIterable<unknown>;
    for await (const _ of events) break;
    expect(isCancelled).toBe(true);
  });

  it('reads a line of many pieces in linear time', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1000));
    const start = new TextEncoder().encode('data: ');
    const end = new TextEncoder().encode('\n\n');
    const [event] = await itemsOf(receiveEvents(), [start, ...Array(5000).fill(piece), end]);
    expect((event as { data: string }).data).toHaveLength(5_000_000);
  });
});

describe('receiveJsonLines', () => {
  it('reads the values that sendJsonLines writes', async () => {
    const values = fc.array(fc.oneof(fc.jsonValue(), fc.constant({ id: 2n ** 63n - 1n })));
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat(), { maxLength: 4 }), async (items, at) => {
        const { body } = sendJsonLines(items, 'application/jsonl');
        const text = await new Response(body).text();
        const read = await itemsOf(receiveJsonLines({ properties: { id: 1 } }), split(text, at));
        expect(read.map(toJson)).toEqual(items.map(toJson));
      }),
      { numRuns: 60 },
    );
  });
});

describe('sendEvents', () => {
  it('writes events that receiveEvents reads', async () => {
    const line = fc.string({ unit: codePoint }).map((text) => text.replace(/[\r\n\0]/g, ''));
    const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
    const event = fc.record({ event: line.filter((name) => name !== ''), data: text, id: line });
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.array(fc.nat(), { maxLength: 4 }), async (items, at) => {
        const { body } = sendEvents()(items, 'text/event-stream');
        const sent = await new Response(body).text();
        const read = await itemsOf(receiveEvents(), split(sent, at));
        expect(read).toEqual(items.map((each) => ({ ...each, retry: undefined })));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'data: a\n\ndata: cut\n',
    'data: a\n\ndata: cut',
    'data: a\r\rdata: cut\r',
    'data: a\r\n\r',
  ])('reads the events of %j that have an end', async (sent) => {
    const at = [...sent].keys();
    for (const each of at) {
      expect(await itemsOf(receiveEvents(), split(sent, [each]))).toMatchObject([{ data: 'a' }]);
    }
  });

  it('writes the data of named events as JSON, and rejects fields of several lines', async () => {
    const textOf = (items: readonly object[]) =>
      new Response(sendEvents(undefined, { json: 0 })(items, 'text/event-stream').body).text();
    expect(
      await textOf([
        { event: 'json', data: 'a' },
        { event: 'text', data: 'a', retry: 5 },
      ]),
    ).toBe('event: json\ndata: "a"\n\nevent: text\nretry: 5\ndata: a\n\n');
    await expect(textOf([{ id: 'a\nb' }])).rejects.toThrow('id expected one line without NUL');
  });
});

it.each([
  ['sendJsonLines', sendJsonLines, 'application/jsonl; charset=utf-8'],
  ['sendEvents', sendEvents(), 'text/event-stream'],
])('%s sends bytes as they are, with their own media type', (_, send, type) => {
  const bytes = new TextEncoder().encode('own');
  expect(send(bytes as never, type)).toEqual({ body: bytes, type });
});

it('has another boundary in each multipart request', () => {
  const bodies = [0, 1].map(() => sendMultipart()({ a: 'b' }, 'multipart/form-data'));
  const boundaries = bodies.map(({ type }) => /boundary=([\w-]{20,70})$/.exec(type!)![1]);
  expect(new Set(boundaries).size).toBe(2);
});

it.each([
  ['events', receiveEvents(), 'text/event-stream', 'data: a\n\ndata: b\n\n'],
  ['lines', receiveJsonLines(), 'application/jsonl', '1\n2\n'],
])('ends a loop over %s whose response was cloned', async (_, reader, type, text) => {
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  const response = new Response(source, { headers: { 'Content-Type': type } });
  // A clone that nobody reads never confirms that a stream is cancelled.
  response.clone();
  const body = (await reader(response, testReading())) as AsyncIterable<unknown>;
  for await (const _item of body) break;
});
