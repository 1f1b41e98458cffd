// The time to read a body grows linearly with its length, however it arrives: the readers of a service, behind
// its public entry, and those of its clients. CPU times are compared with each other, never with a limit.
import { describe, expect, it } from '@jest/globals';
import {
  type ConnectionOptions,
  openConnection,
  operation,
  receiveEvents,
  receiveJsonLines,
} from '@stubwright/client';
import { isTestAll } from '@stubwright/test-support/testAll';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { chunked } from './support/chunked.ts';
import { loadedContract } from './support/contract.ts';

const LIST = '{type: object, properties: {f: {type: array, items: {type: string}}}}';
const SEQUENCES: Record<string, string> = {
  jsonl: 'application/jsonl',
  events: 'text/event-stream',
};
const WHOLE: Record<string, string> = {
  form: 'multipart/form-data',
  urlencoded: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  json: 'application/json',
};

const path = (id: string, content: string) =>
  `  /${id}: {post: {operationId: ${id}, requestBody: {content: ${content}}, responses: {'204': {description: ok}}}}\n`;
const CONTRACT = `openapi: 3.2.0
paths:
${Object.entries(SEQUENCES)
  .map(([id, type]) => path(id, `{${type}: {itemSchema: {}}}`))
  .join('')}${Object.entries(WHOLE)
  .map(([id, type]) => path(id, `{${type}: {schema: ${LIST}}}`))
  .join('')}`;

const ids = [...Object.keys(SEQUENCES), ...Object.keys(WHOLE)];
const api = await createApi({
  contract: loadedContract(CONTRACT),
  bodyLimitBytes: 16 * 1024 * 1024,
  handlers: Object.fromEntries(
    ids.map((id) => [
      id,
      // biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
      async ({ body }: any) => {
        if (id in SEQUENCES) for await (const _ of body);
        return { status: 204 };
      },
    ]),
  ),
});
const handle = fetchHandler(api as never);

type Work = (body: ReadableStream<Uint8Array>, type: string) => Promise<unknown>;

const inService =
  (id: string): Work =>
  async (body, type) => {
    const headers = { 'Content-Type': type, 'Transfer-Encoding': 'chunked' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const { status } = await handle(new Request(`http://localhost/${id}`, init));
    expect([204, 400, 413]).toContain(status);
  };

const CLIENTS: Record<string, ReturnType<typeof receiveEvents>> = {
  jsonl: receiveJsonLines(),
  events: receiveEvents(),
};

const inClient =
  (id: string): Work =>
  async (body, type) => {
    const fetch = async () => new Response(body, { headers: { 'Content-Type': type } });
    const connection = openConnection({}, { fetch } as ConnectionOptions);
    const replies = { 200: { content: { [type]: CLIENTS[id]! } } };
    const call = operation({ id, method: 'GET', path: '/', replies }) as (
      connection: unknown,
      request: object,
    ) => Promise<unknown>;
    try {
      const reply = (await call(connection, {})) as { readonly body: AsyncIterable<unknown> };
      for await (const _ of reply.body);
    } catch (error) {
      // A malformed body.
      expect(error).toBeInstanceOf(Error);
    }
  };

/** A body of about n characters. */
type Body = (n: number) => string;
const repeated =
  (text: string, before = '', after = ''): Body =>
  (n) =>
    before + text.repeat(Math.ceil(n / text.length)) + after;

const START = '--b\r\nContent-Disposition: form-data; name="f"\r\n';
const END = '\r\n--b--\r\n';
const inPart = (text: string) => repeated(text, `${START}\r\n`, END);
const inHead = (text: string, before = 'X: ') => repeated(text, START + before, `\r\n\r\nx${END}`);

const MULTIPART: Record<string, Body> = {
  'a long line': inPart('x'),
  'empty lines': inPart('\r\n'),
  'line feeds': inPart('\n'),
  'carriage returns': inPart('\r'),
  'starts of boundaries': inPart('\r\n--'),
  'longer boundaries': inPart('\r\n--bX'),
  'longer last boundaries': inPart('\r\n--b--X'),
  'boundaries within lines': inPart('--b'),
  parts: repeated(`${START}\r\nx\r\n`, '', '--b--\r\n'),
  'parts without headers': repeated('--b\r\n\r\nx\r\n', '', '--b--\r\n'),
  'boundaries only': repeated('\r\n--b'),
  'header lines': inHead('a: b\r\n', ''),
  'a long header': inHead('x'),
  'spaces in a header': inHead(' '),
  'colons in a header': inHead(':'),
  'folded lines': inHead('\r\n '),
  'parameters of a header': inHead(';a="', 'Content-Disposition: form-data'),
  'padding of a boundary': repeated(' ', '--b', `\r\n\r\nx${END}`),
  'padding of the last boundary': repeated(' ', `${START}\r\nx\r\n--b--`, '\r\n'),
  'a preamble': repeated('\r\n-', '', `\r\n${START}\r\nx${END}`),
  'an epilogue': repeated('\r\n--b', `${START}\r\nx${END}`),
};
const JSON_LINES: Record<string, Body> = {
  'a long line': repeated('x', '"', '"\n'),
  lines: repeated('{"a":1}\n'),
  'empty lines': repeated('\n'),
  'empty lines of Windows': repeated('\r\n'),
  spaces: repeated(' '),
  brackets: repeated('['),
};
const EVENTS: Record<string, Body> = {
  'lines of data': repeated('data: x\n', '', '\n'),
  events: repeated('data: x\n\n'),
  'events of old Macs': repeated('data: x\r\r'),
  'events of Windows': repeated('data: x\r\n\r\n'),
  'a long line': repeated('x', 'data: ', '\n\n'),
  'spaces in a line': repeated(' ', 'data', '\n\n'),
  colons: repeated(':', '', '\n\n'),
  'empty lines': repeated('\n'),
  'carriage returns': repeated('\r'),
  comments: repeated(':\n'),
  'characters of three bytes': repeated('€', 'data: ', '\n\n'),
};
const BODIES: Record<string, Record<string, Body>> = {
  form: MULTIPART,
  jsonl: JSON_LINES,
  events: EVENTS,
  urlencoded: {
    values: repeated('f=x&'),
    separators: repeated('&'),
    escapes: repeated('%41', 'f='),
    'signs of equality': repeated('='),
    names: repeated('a', '', '=1'),
    brackets: repeated('f[a]=1&'),
  },
  xml: {
    elements: repeated('<f>x</f>', '<r>', '</r>'),
    text: repeated('x', '<r><f>', '</f></r>'),
    references: repeated('&amp;', '<r><f>', '</f></r>'),
    'open elements': repeated('<f>'),
    attributes: repeated(' a="1"', '<r', '/>'),
    comments: repeated('<!---->', '<r>', '</r>'),
    'sections of characters': repeated('<![CDATA[]]>', '<r>', '</r>'),
    'less-than signs': repeated('<'),
  },
  json: {
    items: repeated('"x",', '{"f":[', '""]}'),
    escapes: repeated('\\u0041', '{"f":["', '"]}'),
    spaces: repeated(' ', '', '{}'),
    brackets: repeated('['),
  },
};

/**
 * First lengths by the size of the chunks. A copy of all that has arrived, for each chunk, takes more time than
 * the chunk itself only after many chunks of some size.
 */
type Lengths = readonly (readonly [size: number, length: number])[];
const FEW: Lengths = [
  [1, 1_024],
  [128, 65_536],
];
const MANY: Lengths = [
  [1, 4_096],
  [7, 16_384],
  [128, 131_072],
  [65_536, 131_072],
];
const LENGTHS = isTestAll ? MANY : FEW;
/** Of a measurement that is noise. */
const NOISE_MICROSECONDS = 2_000;
const ATTEMPTS = 5;

async function microseconds(work: Work, text: string, type: string, size: number): Promise<number> {
  const stream = chunked(Buffer.from(text), size);
  const start = process.cpuUsage();
  await work(stream, type);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Compares the least times of several attempts: other work only adds to a time. */
async function expectRatio(
  measure: (() => Promise<number>)[],
  most: number,
  shown: object,
): Promise<void> {
  let least: number[] = measure.map(() => Infinity);
  let ratio = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && ratio > most; attempt++) {
    for (const [at, each] of measure.entries()) least[at] = Math.min(least[at]!, await each());
    ratio = least.at(-1)! / Math.max(least[0]!, NOISE_MICROSECONDS);
  }
  least = least.map(Math.round);
  expect({ ...shown, least, isLinear: ratio <= most }).toMatchObject({ isLinear: true });
}

const typeOf = (id: string, boundary = 'b') => {
  const type = SEQUENCES[id] ?? WHOLE[id]!;
  return type.startsWith('multipart/') ? `${type}; boundary=${boundary}` : type;
};

const READERS: [name: string, id: string, work: Work][] = [
  ...ids.map((id): [string, string, Work] => [`a service of ${typeOf(id)}`, id, inService(id)]),
  ...Object.keys(CLIENTS).map((id): [string, string, Work] => [
    `a client of ${typeOf(id)}`,
    id,
    inClient(id),
  ]),
];

describe.each(READERS)('%s', (_, id, work) => {
  it.each(Object.entries(BODIES[id]!))('reads %s in linear time', async (_name, body) => {
    for (const [size, length] of LENGTHS) {
      const measure = [length, 8 * length].map((n) => {
        const text = body(n);
        return () => microseconds(work, text, typeOf(id), size);
      });
      // Linear is 8, quadratic 64. Larger values take up to three times as long per byte: memory is slower.
      await expectRatio(measure, 32, { size });
    }
  });
});

describe.each(READERS.filter(([, id]) => typeOf(id).startsWith('multipart')))(
  '%s',
  (_, id, work) => {
    it('takes the same time for any length of its boundary', async () => {
      const measure = [1, 70, 500, 4_000].map((length) => {
        const boundary = 'b'.repeat(length);
        const start = START.replace('--b', `--${boundary}`);
        const text = `${start}\r\n${'\r\n--bbbbbbbb'.repeat(400)}\r\n--${boundary}--\r\n`;
        return () => microseconds(work, text, typeOf(id, boundary), 1);
      });
      for (const longer of measure.slice(1)) await expectRatio([measure[0]!, longer], 4, {});
    });
  },
);
