// What OpenAPI 3.2 adds, over HTTP: additional operations, examples, allowReserved and XML nodes.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestHead, RequestWriter, Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { runs } from '@stubwright/test-support/testAll';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { loadedContract } from './support/contract.ts';

const CONTRACT = `
paths:
  /toys:
    parameters: [{name: to, in: query, required: true, schema: {type: integer, format: int64, minimum: 1}}]
    get: {operationId: getToys, responses: {'204': {}}}
    additionalOperations:
      COPY:
        operationId: copyToys
        requestBody: {content: {application/json: {$ref: '#/components/mediaTypes/Toy'}}}
        responses: {'200': {content: {application/json: {$ref: '#/components/mediaTypes/Toy'}}}}
      UNLOCK: {responses: {'204': {}}}
      CONNECT: {operationId: connectToys, responses: {'204': {}}}
      POST: {operationId: postToys, responses: {'204': {}}}
      copy: {operationId: lowerToys, responses: {'204': {}}}
      FETCH: {operationId: fetchToys, responses: {'204': {}}}
  /mocked:
    get:
      operationId: mockedToy
      responses:
        '200':
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: integer}}}
              examples:
                wire: {serializedValue: '{"id":1}'}
                data: {dataValue: {id: 2}, serializedValue: '{"id":2}'}
                old: {value: {id: 3}}
  /echo/{inPath}:
    get:
      operationId: echo
      parameters:
        - {name: inPath, in: path, required: true, allowReserved: true, schema: {type: string}}
        - {name: inQuery, in: query, allowReserved: true, schema: {type: string}}
        - {name: list, in: query, allowReserved: true, explode: false, schema: {type: array, items: {type: string}}}
        - {name: inCookie, in: cookie, allowReserved: true, schema: {type: string}}
      responses: {'204': {}}
  /xml:
    post:
      operationId: postXml
      requestBody: {content: {application/xml: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'200': {content: {application/xml: {schema: {$ref: '#/components/schemas/Note'}}}}}
components:
  mediaTypes:
    Toy: {schema: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}}
  schemas:
    Note:
      type: object
      required: [id, text, lines]
      xml: {name: note}
      properties:
        id: {type: integer, format: int64, xml: {nodeType: attribute}}
        text: {type: string, xml: {nodeType: cdata}}
        lines: {type: array, items: {$ref: '#/components/schemas/Line'}, xml: {nodeType: element}}
        free: {type: array, items: {type: string, xml: {name: f}}, xml: {nodeType: none}}
    Line:
      type: object
      required: [text]
      xml: {name: line}
      properties:
        lang: {type: string, xml: {nodeType: attribute}}
        text: {type: string, xml: {nodeType: text}}
`;

let toy: Toy;
beforeAll(async () => {
  toy = await serveToy('3.2.0', CONTRACT, {
    handlers: {
      copyToys: ({ body }) => ({ status: 200, body }),
      postXml: ({ body }) => ({ status: 200, body }),
    },
    mock: 'off',
  });
});
afterAll(() => toy.close());

const definition = (version = '3.2.0') =>
  loadedContract(`openapi: ${version}\n${CONTRACT}`).definition;

describe('an additional operation', () => {
  const json = { 'Content-Type': 'application/json' };
  const copy = (query: string, body?: string) =>
    toy.fetch(`/toys${query}`, { method: 'COPY', headers: json, ...(body && { body }) });

  it('is routed, validated and answered as any other', async () => {
    const { status, text } = await copy('?to=9007199254740993', '{"id":9007199254740993}');
    expect([status, text]).toEqual([200, '{"id":9007199254740993}']);
    expect(toy.got[0]).toMatchObject({ query: { to: 9007199254740993n } });
    expect((await copy('?to=0', '{"id":1}')).status).toBe(400);
    expect((await copy('?to=1', '{"id":"x"}')).status).toBe(400);
    expect((await copy('', '{"id":1}')).text).toContain('to is required');
  });

  it('is in Allow, and has an id of its own without operationId', async () => {
    const { status, headers } = await toy.fetch('/toys?to=1', { method: 'DELETE' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, COPY, UNLOCK, HEAD, OPTIONS']);
    expect((await toy.fetch('/toys?to=1', { method: 'UNLOCK' })).status).toBe(204);
    expect(definition().operations.map(({ operationId }) => operationId)).toContain('unlockToys');
  });

  it('is not served with a method that Node does not parse, or that has a property', () => {
    const { operations, unservedOperations } = definition();
    expect(operations.map(({ method }) => method)).toEqual([
      ...['get', 'copy', 'unlock', 'get', 'get', 'post'],
    ]);
    expect(unservedOperations.map(({ operationId }) => operationId)).toEqual([
      ...['connectToys', 'postToys', 'lowerToys', 'fetchToys'],
    ]);
  });

  it('has an id of letters, and is served once for paths that differ in their query', () => {
    const none = "{responses: {'204': {description: none}}}";
    const { operations } = loadedContract(`
openapi: 3.2.0
paths:
  /a?b=1: {additionalOperations: {LINK: ${none}, M-SEARCH: ${none}}}
  /a: {additionalOperations: {LINK: ${none}}}
  /b: {$ref: '#/components/pathItems/B', additionalOperations: {LOCK: ${none}}}
components: {pathItems: {B: {additionalOperations: {LOCK: {operationId: other}, MOVE: ${none}}}}}
`).definition;
    expect(operations.map(({ operationId, path }) => `${operationId} ${path}`)).toEqual([
      ...['msearchAB1 /a', 'linkA /a', 'lockB /b', 'moveB /b'],
    ]);
  });

  it('exists since OpenAPI 3.2 only', () => {
    const { operations, unservedOperations } = definition('3.1.0');
    expect([operations.length, unservedOperations]).toEqual([4, []]);
  });
});

it('mocks the serializedValue, the dataValue and the value of examples', async () => {
  const mocked = await serveToy('3.2.0', CONTRACT, { mock: 'all' });
  try {
    const get = async (prefer: string) =>
      (await mocked.fetch('/mocked', { headers: { Prefer: prefer } })).text;
    expect(await get('')).toBe('{"id":1}');
    expect(await get('example=data')).toBe('{"id":2}');
    expect(await get('example=old')).toBe('{"id":3}');
  } finally {
    await mocked.close();
  }
});

it('makes requests with the items of sequences', () => {
  const { definition: document } = loadedContract(`
openapi: 3.2.0
paths:
  /lines:
    post:
      operationId: lines
      requestBody: {content: {application/jsonl: {itemSchema: {type: object, required: [id], properties: {id: {type: integer}}}}}}
  /events:
    post:
      operationId: events
      requestBody:
        content:
          text/event-stream:
            itemSchema: {type: object, required: [data], properties: {data: {type: string, contentMediaType: application/json, contentSchema: {const: 7}}}}
  /written:
    post:
      operationId: written
      requestBody: {content: {application/x-ndjson: {itemSchema: {type: integer}, examples: {a: {dataValue: [1, 2, 3]}}}}}
`);
  const validators = new Validators(document, 'request');
  const examples = new ExampleRequests(document, validators, new Samples(validators));
  const bodies = document.operations.map((each) => examples.of(each, 't').body);
  expect(bodies[0]).toMatch(/^(?:\{"id":\d+\}\n){2}$/);
  expect(bodies.slice(1)).toEqual(['data: 7\n\ndata: 7\n\n', '1\n2\n3\n']);
});

it.each(['application/json-seq', 'application/geo+json-seq', 'multipart/mixed'])(
  'passes %s as bytes',
  async (type) => {
    const content = `{${type}: {itemSchema: {type: integer}}}`;
    const contract = `paths: {/all: {post: {operationId: all, requestBody: {content: ${content}}, responses: {'200': {content: ${content}}}}}}`;
    const served = await serveToy('3.2.0', contract, {
      handlers: { all: ({ body }) => ({ status: 200, body }) },
    });
    try {
      const init = { method: 'POST', headers: { 'Content-Type': type }, body: 'no item' };
      const { status, headers, text } = await served.fetch('/all', init);
      expect([status, headers.get('content-type'), text]).toEqual([200, type, 'no item']);
    } finally {
      await served.close();
    }
  },
);

describe('allowReserved', () => {
  /** Sends the target as it is: fetch would change it. */
  const send = (target: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request(toy.url + target, { headers, path: target }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .on('error', reject)
        .end();
    });

  it('is read back in paths, queries and cookies', async () => {
    const all = definition();
    const operation = all.operations.find(({ operationId }) => operationId === 'echo')!;
    const writer = new RequestWriter(new Validators(all, 'request'));
    const reserved = fc.string({
      unit: fc.constantFrom(...":/?#[]@!$&'()*+,;=%. a\u00e9"),
      maxLength: 12,
    });
    const inPath = reserved.filter((text) => !['', '.', '..'].includes(text));
    const values = fc.record({
      inPath,
      inQuery: reserved,
      list: fc.array(reserved.filter(Boolean), { minLength: 2, maxLength: 3 }),
      inCookie: reserved,
    });
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const head = new RequestHead(operation.path);
        for (const each of operation.parameters) {
          const { name, in: where } = each;
          head.add(where, name, writer.parameter(each, value[name as keyof typeof value]));
        }
        expect(await send(head.target, head.headers)).toBe(204);
        const { path, query, cookie } = toy.got[0] as Record<string, object>;
        expect({ ...path, ...query, ...cookie }).toEqual(value);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('nodeType of XML', () => {
  const headers = { 'Content-Type': 'application/xml' };
  const post = async (body: string) =>
    (await toy.fetch('/xml', { method: 'POST', headers, body })).text;

  it('reads and writes attributes, text, CDATA and the elements of arrays', async () => {
    const xml =
      '<note id="9007199254740993"><![CDATA[a < b]]><lines><line lang="en">one</line><line>two</line></lines><f>x</f><f>y</f></note>';
    expect(await post(xml)).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
    expect(toy.got[0]).toMatchObject({
      body: {
        id: 9007199254740993n,
        text: 'a < b',
        lines: [{ lang: 'en', text: 'one' }, { text: 'two' }],
        free: ['x', 'y'],
      },
    });
  });

  it.each([
    ['an attribute as an element', '<note><id>1</id>a<lines/></note>', 'no element <id>'],
    ['text as an element', '<note id="1"><text>a</text><lines/></note>', 'no element <text>'],
    [
      'text where the contract has none',
      '<note id="1">a<lines>b<line>c</line></lines></note>',
      'no text',
    ],
    ['a number that is none', '<note id="x">a<lines/></note>', '/id'],
  ])('refuses %s', async (_what, body, message) => {
    expect(await post(body)).toContain(message);
  });

  it('has every text in CDATA that XML has', async () => {
    const text = fc.string({
      unit: fc.constantFrom(...']>&<![CDAT\r\n\t" a\u00e9'),
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (value, line) => {
        const escaped = (each: string) =>
          each.replace(/[&<>"\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
        const sent = `<note id="1">${escaped(value)}<lines><line>${escaped(line)}</line></lines></note>`;
        const written = await post(sent);
        expect(toy.got[0]).toMatchObject({ body: { text: value, lines: [{ text: line }] } });
        await post(written);
        expect(toy.got[0]).toMatchObject({ body: { text: value, lines: [{ text: line }] } });
      }),
      { numRuns: runs(40) },
    );
  });
});
