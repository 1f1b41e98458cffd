// `--dates` and `--int64`: every place of a request and of a reply, the types, and the next generation.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientProject, clientProject } from '../support/clientProject.ts';
import { runCommand } from '../support/command.ts';

const DAY = '{type: string, format: date}';
const TIME = '{type: string, format: date-time}';
const ID = '{type: integer, format: int64}';
const TOY = "{$ref: '#/components/schemas/Toy'}";
const body = (type: string, schema = TOY) =>
  `requestBody: {required: true, content: {${type}: {schema: ${schema}}}}`;
const post = (id: string, type: string, reply = type, schema = TOY) => `
  /${id}:
    post:
      operationId: ${id}
      ${body(type, schema)}
      responses: {'200': {description: ok, content: {${reply}: {schema: ${schema}}}}}`;
const CONTRACT = `openapi: 3.2.0
info: {title: Toys, version: 1.0.0}
servers: [{url: 'http://localhost'}]
paths:
  /toys/{day}/{ids}:
    get:
      operationId: findToys
      parameters:
        - {in: path, name: day, required: true, schema: ${DAY}}
        - {in: path, name: ids, required: true, schema: {type: array, items: ${ID}}}
        - {in: query, name: range, style: deepObject, schema: {type: object, properties: {from: ${TIME}}}}
        - {in: query, name: filter, content: {application/json: {schema: ${TOY}}}}
        - {in: header, name: X-Since, schema: ${TIME}}
        - {in: cookie, name: seen, schema: ${DAY}}
      responses:
        '200':
          description: ok
          headers: {X-Days: {schema: {type: array, items: ${DAY}}}, X-Id: {schema: ${ID}}}
          content: {application/json: {schema: {type: array, items: ${TOY}}}}
        default: {description: error, content: {application/json: {schema: {type: object, properties: {at: ${TIME}}}}}}
${post('echoJson', 'application/json')}
${post('echoForm', 'application/x-www-form-urlencoded')}
${post('echoParts', 'multipart/form-data')}
${post('echoText', 'text/plain', 'text/plain', TIME)}
  /echoLines:
    post:
      operationId: echoLines
      requestBody: {required: true, content: {application/jsonl: {itemSchema: ${TOY}}}}
      responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: ${TOY}}}}}
  /echoEvents:
    post:
      operationId: echoEvents
      requestBody: {required: true, content: {text/event-stream: {itemSchema: {$ref: '#/components/schemas/Event'}}}}
      responses: {'200': {description: ok, content: {text/event-stream: {itemSchema: {$ref: '#/components/schemas/Event'}}}}}
components:
  schemas:
    Event: {type: object, required: [data], properties: {data: {type: string, contentMediaType: application/json, contentSchema: ${TOY}}}}
    Toy:
      type: object
      required: [id, made]
      properties: {id: ${ID}, made: ${TIME}, day: {anyOf: [${DAY}, {type: string, maxLength: 3}]}}
`;

// biome-ignore lint/suspicious/noExplicitAny: without generated types
type Any = any;

async function echoed(project: ClientProject) {
  const { createClient } = await project.load();
  const seen: { request: Request; text: string }[] = [];
  let reply: Response | undefined;
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    const bytes = new Uint8Array(await request.clone().arrayBuffer());
    seen.push({ request, text: new TextDecoder().decode(bytes) });
    const headers = { 'Content-Type': request.headers.get('Content-Type')! };
    return reply ?? new Response(bytes, { headers });
  };
  const client: Record<string, (request: Any, options?: Any) => Promise<Any>> = createClient({
    fetch,
    retry: false,
  });
  return {
    client,
    seen,
    answer: (json: unknown, headers = {}, status = 200) => {
      reply = new Response(JSON.stringify(json), {
        status,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
    },
  };
}

const items = async (body: AsyncIterable<unknown>) => {
  const all: unknown[] = [];
  for await (const each of body) all.push(each);
  return all;
};

const KINDS = {
  '--dates Date --int64 string': {
    id: '9007199254740993',
    time: new Date('2020-01-02T03:04:05.678Z'),
    day: new Date('2020-01-02'),
    wireId: '9007199254740993',
    types: ['string', 'Date', 'Date'],
    wrong: { id: '1.5', time: new Date(Number.NaN), day: new Date('2020-01-02T01:00Z') },
    expected: [
      'the digits of an integer of 64 bits',
      'a Date of the years 0 to 9999',
      'a Date at midnight in UTC',
    ],
  },
  '--dates Date --int64 number': {
    id: 9007199254740991,
    time: new Date('2020-01-02T03:04:05.678Z'),
    day: new Date('2020-01-02'),
    wireId: '9007199254740991',
    types: ['number', 'Date', 'Date'],
    wrong: { id: 2 ** 53, time: 'tomorrow', day: new Date('2020-01-02T01:00Z') },
    expected: ['a safe integer', 'a Date of the years 0 to 9999', 'a Date at midnight in UTC'],
  },
};

describe.each(Object.entries(KINDS))('a client with %s', (flags, kind) => {
  const { id, time, day, wireId, types, wrong, expected } = kind;
  const toy = { id, made: time, day };
  const wire = `{"id":${wireId},"made":"2020-01-02T03:04:05.678Z","day":"2020-01-02"}`;
  let project: ClientProject;
  beforeAll(async () => {
    project = await clientProject(CONTRACT, { flags: flags.split(' ') });
  });
  afterAll(() => project.remove());

  it('sends parameters', async () => {
    const { client, seen, answer } = await echoed(project);
    answer([]);
    await client['findToys']!({
      path: { day, ids: [id, id] },
      query: { range: { from: time }, filter: toy },
      header: { 'x-since': time },
      cookie: { seen: day },
    });
    const { request } = seen[0]!;
    const { pathname, searchParams } = new URL(request.url);
    expect(pathname).toBe(`/toys/2020-01-02/${wireId},${wireId}`);
    expect([...searchParams]).toEqual([
      ['range[from]', '2020-01-02T03:04:05.678Z'],
      ['filter', wire],
    ]);
    expect(request.headers.get('X-Since')).toBe('2020-01-02T03:04:05.678Z');
  });

  it('reads replies and their headers, by status', async () => {
    const { client, answer } = await echoed(project);
    const request = { path: { day, ids: [id] } };
    answer([JSON.parse(wire.replace(/"id":\d+/, '"id":5'))], {
      'X-Days': '2020-01-02, 2020-01-02',
      'X-Id': '7',
    });
    const { body: read, headers } = await client['findToys']!(request);
    const five = typeof id === 'string' ? '5' : 5;
    expect(shown(read)).toEqual(shown([{ ...toy, id: five }]));
    expect(shown(headers)).toEqual(
      shown({ 'X-Days': [day, day], 'X-Id': typeof id === 'string' ? '7' : 7 }),
    );
    answer({ at: '2020-01-02T03:04:05.678Z' }, {}, 404);
    expect(shown((await client['findToys']!(request)).body)).toEqual(shown({ at: time }));
  });

  it.each([
    ['echoJson', wire],
    ['echoForm', `id=${wireId}&made=2020-01-02T03%3A04%3A05.678Z&day=2020-01-02`],
    ['echoParts', undefined],
  ])('%s sends and reads a value', async (name, sent) => {
    const { client, seen } = await echoed(project);
    const { body: read } = await client[name]!({ body: toy });
    expect(shown({ ...read })).toEqual(shown(toy));
    expect(seen[0]!.text).toMatch(sent === undefined ? /2020-01-02T03:04:05\.678Z/ : sent);
  });

  it('sends and reads text, lines and events', async () => {
    const { client, seen } = await echoed(project);
    expect(shown((await client['echoText']!({ body: time })).body)).toEqual(shown(time));
    const lines = await client['echoLines']!({ body: [toy, toy].values() });
    expect(shown(await items(lines.body))).toEqual(shown([toy, toy]));
    expect(seen[1]!.text).toBe(`${wire}\n${wire}\n`);
    const events = await client['echoEvents']!({ body: [{ data: toy }] });
    expect(shown(((await items(events.body)) as { data: unknown }[])[0]!.data)).toEqual(shown(toy));
  });

  it('throws a TypeError that names the argument, and sends nothing', async () => {
    const { client, seen } = await echoed(project);
    const [forId, forTime, forDay] = expected;
    const find = (path: object, query = {}) =>
      client['findToys']!({ path: { day, ids: [id], ...path }, query });
    await expect(find({ ids: [id, wrong.id] })).rejects.toThrow(`path/ids/1: got`);
    await expect(find({ ids: [wrong.id] })).rejects.toThrow(`expected ${forId}`);
    await expect(find({ day: wrong.day })).rejects.toThrow(`expected ${forDay}`);
    await expect(find({}, { range: { from: wrong.time } })).rejects.toThrow(`expected ${forTime}`);
    await expect(client['echoJson']!({ body: { ...toy, made: wrong.time } })).rejects.toThrow(
      TypeError,
    );
    await expect(client['echoJson']!({ body: { ...toy, made: 'tomorrow' } })).rejects.toThrow(
      `echoJson: body/made: got "tomorrow", expected ${forTime}`,
    );
    expect(seen).toEqual([]);
  });

  it('throws an UndeclaredResponse that names the place', async () => {
    const { client, answer } = await echoed(project);
    const request = { path: { day, ids: [id] } };
    answer([{ id: 5, made: '2020-02-30T00:00:00Z' }]);
    await expect(client['findToys']!(request)).rejects.toMatchObject({
      name: 'UndeclaredResponse',
      message:
        'findToys: got "2020-02-30T00:00:00Z" for a date-time at body/0/made, expected a response that the contract declares',
    });
    answer([], { 'X-Days': 'monday' });
    await expect(client['findToys']!(request)).rejects.toThrow(
      'got "monday" for a date at headers/X-Days/0',
    );
    const { client: echo } = await echoed(project);
    const body = new Blob([`${wire}\n{"id":"x","made":"2020-01-01T00:00:00Z"}\n`]);
    const { body: lines } = await echo['echoLines']!({ body });
    await expect(items(lines)).rejects.toThrow('at body/1/id');
  });

  it('has the types, and calls of its README compile', () => {
    const [forId, forTime, forDay] = types;
    const source = (
      type: string,
    ) => `import { createClient, unwrap, type EchoJsonRequest, type Toy } from 'toys';
const client = createClient();
const [toy] = await unwrap(client.findToys({ path: { day: 0 as never, ids: [] } }));
toy!.id satisfies ${type};
toy!.made satisfies ${forTime};
toy!.day satisfies ${forDay} | string | undefined;
const { body }: EchoJsonRequest = { body: toy! };
body.made satisfies Toy['made'];
const lines = await unwrap(client.echoLines({ body: [toy!] }));
for await (const { made } of lines) made satisfies ${forTime};
(await unwrap(client.echoText({ body: toy!.made }))) satisfies ${forTime};
`;
    expect(project.errorsOf(source(forId!))).toEqual([]);
    expect(project.errorsOf(source('bigint'))).toEqual([expect.stringMatching(/^4: TS1360/)]);
    const calls = readFileSync(`${project.path}/node_modules/toys/README.md`, 'utf8').matchAll(
      /^const reply = (await client\..*?;)$/gms,
    );
    const all = Array.from(calls, ([, call]) => call).join('\n');
    expect(all).toContain('new Date(');
    const main = "import { createClient } from 'toys';\nconst client = createClient();\n";
    expect(project.errorsOf(main + all)).toEqual([]);
  });

  it('is generated again with the same options, unless others are given', async () => {
    const cwd = project.path;
    const args = ['client', 'openapi.yaml', 'node_modules/toys', '--name', 'toys', '--check'];
    expect(await runCommand(args, { cwd })).toMatchObject({ status: 0, err: '' });
    expect((await runCommand([...args, '--int64', 'bigint'], { cwd })).status).toBe(1);
    const { stubwright } = JSON.parse(
      readFileSync(`${cwd}/node_modules/toys/package.json`, 'utf8'),
    );
    const [, dates, , int64] = flags.split(' ');
    expect(stubwright).toEqual({ dates, int64 });
  });
});

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return `${tag} ${JSON.stringify(value)}`;
  if (tag !== '[object Object]') return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([key, each]) => [key, shown(each)]),
  );
}
