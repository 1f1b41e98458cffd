// Writes how bodies of each media type are read, and written again, as text: `make transcripts`.
import { writeFileSync } from 'node:fs';
import { stringifyJson } from '@stubwright/contract';
import { parse } from 'yaml';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';

export const BODY_READINGS = 'packages/stubwright/test/bodyReadings.txt';

const { TOY, XML_TOY, FORM, FILE } = parse(`
TOY: &toy
  type: object
  required: [id]
  properties:
    id: {type: integer, format: int64}
    tags: &tags {type: array, items: {type: string}}
    price: {type: number}
    isNew: {type: [boolean, 'null']}
    part: &part {type: object, properties: {a: {type: integer}}}
  additionalProperties: false
XML_TOY:
  xml: {name: toy}
  type: object
  properties:
    id: {type: integer, xml: {attribute: true}}
    tags: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: tag}}}
    size: {type: array, items: {type: integer}}
    part: {type: object, xml: {prefix: x, namespace: 'urn:x'}, properties: {a: {}}}
FILE: &file {type: string, contentMediaType: application/octet-stream}
FORM: {type: object, properties: {id: {type: integer}, part: *part, file: *file, tags: *tags}}
`);

interface Row {
  readonly type: string;
  readonly schema?: unknown;
  readonly itemSchema?: unknown;
  readonly bodies: readonly string[];
}

const LINES = [
  '{"id":1}\n{"id":2}\n',
  '{"id":1}\r\n\n{"id":2}',
  '{"id":1}\n{"id":"a"}\n{"id":3}\n',
].concat(['', '\n', '{"id":1}\n{', '{"id":1} {"id":2}\n', '[]\n']);
const part = (headers: string, text: string) => `--b\r\n${headers}\r\n\r\n${text}\r\n`;
const field = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;

/** Separated by white space, which they do not contain. */
const words = (text: string) => text.trim().split(/\s+/);

const JSON_BODIES = [
  ...['{"id":1}', ' {"id" : 1 , "tags":["a","b"]}\n'],
  ...words(String.raw`
    {"id":9223372036854775807} {"id":1e2} {"id":1.0,"price":0.1} {"id":-0} {"id":01} {"id":1.}
    {"id":.5} {"id":+1} {"id":1,} {"id":1,"id":2} {"id":1,"\u0069d":2} {id:1} {'id':1} {"id":1}}
    {"id":1 {"id" { [ "
  `),
  ...['', ' '],
  ...words('null nul true [1,2'),
  '[1 2]',
  ...words(String.raw`
    [,] {"id":1,"tags":["\ud83c\udf31"]} {"id":1,"tags":["\ud83c"]} {"id":1,"tags":["\x"]}
  `),
  '{"id":1,"tags":["a\nb"]}',
  String.raw`{"id":1,"tags":["\u00zz"]}`,
  '\ufeff{"id":1}',
  ...words(`
    {"id":1e400} {"id":1,"isNew":null} {"id":1,"more":1} {"id":"1","tags":1}
    {"id":9223372036854775808} {"id":1,"price":1.00000000000000000001} {"id":1,"__proto__":{}}
    /**/{"id":1} {"id":NaN}
  `),
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
];
const EVENTS = [
  'data: {"id":1}\n\n',
  'data:{"id":1}\r\n\r\ndata: {"id":2}\r\r',
  ': comment\n\ndata: {"id":1}\n\n',
  'event: a\nid: 7\nretry: 10\ndata: {"id":1}\n\n',
  'data: {"id":\ndata: 1}\n\n',
  ...['data: {"id":1}', 'data\n\n', 'event: a\n\n', 'retry: a\ndata: {"id":1}\n\n'],
  ...['data: {"id":"a"}\n\n', 'data: {\n\n', '', '\ufeffdata: {"id":1}\n\n'],
  ...['other: a\ndata: {"id":1}\n\n', 'id: a\u0000b\ndata: {"id":1}\n\n'],
];
const EVENT = {
  type: 'object',
  properties: {
    data: { contentMediaType: 'application/json', contentSchema: TOY },
    ...{ event: {}, id: {}, retry: { type: 'integer' } },
  },
};

const ROWS: readonly Row[] = [
  { type: 'application/json', schema: TOY, bodies: JSON_BODIES },
  { type: 'application/json', schema: true, bodies: words('1 "a" [] {} false -1 1E+2') },
  {
    type: 'application/xml',
    schema: XML_TOY,
    bodies: [
      '<toy id="1"><tags><tag>a</tag><tag> b </tag></tags><size>1</size><size>2</size></toy>',
      '<?xml version="1.0"?><!-- c --><toy><size>3</size></toy>',
      '<toy><x:part xmlns:x="urn:x"><a>1</a></x:part></toy>',
      ...words('<toy><part><a>1</a></part></toy> <toy><tags/></toy> <toy/> <other/>'),
      '<toy><size>a</size></toy>',
      '<toy><tags><tag>&amp;&lt;&#65;&#x42;</tag></tags></toy>',
      '<toy><tags><tag><![CDATA[<a>]]></tag></tags></toy>',
      '<toy><tags><tag>&none;</tag></tags></toy>',
      '<!DOCTYPE toy [<!ENTITY e "x">]><toy><tags><tag>&e;</tag></tags></toy>',
      ...words('<toy> <toy></other> <toy/><toy/> text'),
      ...['', '<toy id="1" id="2"/>', '<toy more="1"><more>1</more></toy>'],
    ],
  },
  {
    type: 'application/x-www-form-urlencoded',
    schema: FORM,
    bodies: words(
      'id=1 id=a id=1&id=2 tags=a&tags=b tags=a,b part=%7B%22a%22%3A1%7D part=1',
    ).concat('', words('& id id=+1 id=1&more=2 part[a]=1 id=%zz file=a')),
  },
  {
    type: 'multipart/form-data; boundary=b',
    schema: FORM,
    bodies: [
      `${part(field('id'), '1')}--b--\r\n`,
      `${part(field('id'), 'a')}--b--\r\n`,
      `preamble\r\n${part(field('id'), '1')}${part(field('id'), '2')}--b--\r\nepilogue`,
      `${part(field('tags'), 'a')}${part(field('tags'), 'b\r\nc')}--b--\r\n`,
      `${part(`${field('part')}\r\nContent-Type: application/json`, '{"a":1}')}--b--\r\n`,
      `${part(field('part'), '{"a":"1"}')}--b--\r\n`,
      `${part(`${field('file', '; filename="a.bin"')}\r\nContent-Type: image/png`, '\u0000')}--b--\r\n`,
      `${part(field('file', "; filename*=utf-8''%c3%a9"), 'a')}--b--\r\n`,
      `${part(field('more'), '1')}--b--\r\n`,
      `${part('Content-Disposition: form-data', '1')}--b--\r\n`,
      `${part('X: y', '1')}--b--\r\n`,
      `${part(field('id'), '1')}`,
      `--b\r\n${field('id')}\r\n1\r\n--b--\r\n`,
      ...['--b--\r\n', '', 'text'],
    ],
  },
  { type: 'application/jsonl', itemSchema: TOY, bodies: LINES },
  { type: 'application/x-ndjson', itemSchema: TOY, bodies: LINES.slice(0, 4) },
  { type: 'text/event-stream', itemSchema: EVENT, bodies: EVENTS },
  {
    type: 'text/plain',
    schema: { type: 'integer' },
    bodies: ['1', ' 1', 'a', '', '1.0', '1e2', '01'],
  },
  { type: 'text/plain', schema: { enum: ['a', null, 1] }, bodies: ['a', 'null', '1', 'b', ''] },
  {
    type: 'text/plain; charset=utf-8',
    schema: { type: 'string', maxLength: 2 },
    bodies: ['é', 'abc', ''],
  },
  { type: 'application/octet-stream', schema: FILE, bodies: ['a'] },
  { type: 'image/png', bodies: ['a'] },
];

/** @returns what a handler receives for each body, or the error; and the body that the handler sends back */
export async function bodyReadings(): Promise<string> {
  const sections: string[] = [];
  for (const row of ROWS) {
    const send = await echoOf(row);
    const { type, schema, itemSchema } = row;
    sections.push(`${type} ${stringifyJson(schema ?? itemSchema) ?? ''}`);
    for (const body of row.bodies) {
      const shown = body.length > 200 ? `${body.slice(0, 20)}…` : body;
      sections.push(`  ${JSON.stringify(shown)}: ${(await send(body)).join(' | ')}`);
    }
  }
  return `${sections.join('\n')}\n`;
}

async function echoOf({ type, schema, itemSchema }: Row) {
  const key = type.replace(/; boundary=.*/, '');
  const content = { [key]: { schema, itemSchema } };
  const post = {
    operationId: 'echo',
    requestBody: { required: true, content },
    responses: { 200: { description: 'ok', content } },
  };
  const document = { openapi: '3.2.0', paths: { '/a': { post } } };
  let received = '';
  const api = await createApi({
    contract: loadedContract(JSON.parse(JSON.stringify(document))),
    handlers: {
      async echo({ body }: { body: unknown }) {
        const items = isItems(body) ? wholeOf(await itemsOf(body)) : body;
        received = shown(items);
        return { status: 200, type: key, body: items };
      },
    },
  });
  const handle = fetchHandler(api);
  return async (body: string): Promise<string[]> => {
    received = 'nothing';
    const headers = { 'Content-Type': type };
    const response = await handle(
      new Request('http://t/a', { method: 'POST', headers, body: new Blob([body]) }),
    );
    const boundary =
      /boundary=(\S+)/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '\n\n';
    const text = (await response.text()).replaceAll(boundary, 'BOUNDARY');
    return [`received ${received}`, `${response.status} ${JSON.stringify(text)}`];
  };
}

function isItems(body: unknown): body is AsyncIterable<unknown> {
  return (
    typeof body === 'object' &&
    body !== null &&
    Symbol.asyncIterator in body &&
    !(body instanceof Blob)
  );
}

async function itemsOf(body: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const each of body) items.push(each);
  return items;
}

/** The bytes of a file, in one piece. */
function wholeOf(items: readonly unknown[]): unknown {
  const chunks = items.filter((each) => each instanceof Uint8Array);
  return chunks.length === 0 ? items : Buffer.concat(chunks);
}

/** Files by their name, type and size. */
function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${JSON.stringify(Buffer.from(value).toString())}`;
  const text = JSON.stringify(value, (_name, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    if (!(each instanceof Blob)) return each;
    return `${each instanceof File ? each.name : 'no file'} ${each.type} ${each.size}`;
  });
  return text ?? 'nothing';
}

if (import.meta.main) writeFileSync(BODY_READINGS, await bodyReadings());
