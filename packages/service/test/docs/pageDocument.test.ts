// The contract as the documentation page reads it: what Swagger UI does not show of OpenAPI 3.2.
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { parseJsonText } from '../../../contract/src/json/json.ts';
import { jsonText } from '../../src/docs/contractFile.ts';
import { withShownParts } from '../../src/docs/swaggerUi.ts';

// biome-ignore lint/suspicious/noExplicitAny: parsed
function pageOf(yaml: string): any {
  const document = parse(`openapi: 3.2.0\ninfo: {title: t, version: '1'}\n${yaml}`);
  return parseJsonText(jsonText('page', { document, serverUrl: undefined, prefix: '' }));
}

describe('the document of the page', () => {
  it('has each tag after its parent, with summary, kind and parent', () => {
    const { tags } = pageOf(
      'tags: [{name: c, parent: b}, {name: a}, {name: b, parent: a, summary: Bees, kind: nav, description: d}, {name: x, parent: y}, {name: y, parent: x}, {name: z, parent: gone}]',
    );
    expect(tags).toEqual([
      { name: 'a' },
      { name: 'b', description: 'Bees · nav · in a\n\nd' },
      { name: 'c', description: 'in b' },
      { name: 'z', description: 'in gone' },
      { name: 'x', description: 'in y' },
      { name: 'y', description: 'in x' },
    ]);
  });

  it('has a chain of 20,000 tags', () => {
    const tags = Array.from({ length: 20_000 }, (_, at) => ({
      name: `t${at}`,
      parent: `t${at + 1}`,
    }));
    const document = withShownParts({ openapi: '3.2.0', tags });
    const names = document['tags'].map(({ name }: { name: string }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([20_000, 't19999', 't0']);
  });

  it('has a form in the query string as an exploded object, and the URLs of OAuth flows', () => {
    const page = pageOf(`
servers: [{url: 'https://a.example', name: production}, {url: /b, name: staging}]
paths:
  /a:
    get:
      parameters:
        - name: q
          in: querystring
          description: d
          content: {application/x-www-form-urlencoded: {schema: {type: object}, examples: {a: {dataValue: {b: 1}}}}}
        - {name: j, in: querystring, content: {application/json: {schema: {}}}}
      responses: {'200': {summary: Short, description: Long}, '204': {description: None}}
components:
  securitySchemes:
    login:
      type: oauth2
      oauth2MetadataUrl: https://a.example/meta
      flows: {deviceAuthorization: {deviceAuthorizationUrl: https://a.example/device}}
    old: {type: http, scheme: basic, deprecated: true}
    key: {type: apiKey, in: header, name: K}
`);
    expect(page.paths['/a'].get.parameters).toEqual([
      {
        ...{ name: 'q', in: 'query', style: 'form', explode: true, schema: { type: 'object' } },
        ...{ description: 'The whole query string\n\nd', examples: { a: { value: { b: 1 } } } },
      },
      { name: 'j', in: 'querystring', content: { 'application/json': { schema: {} } } },
    ]);
    expect(page.paths['/a'].get.responses).toEqual({
      200: { description: 'Short\n\nLong' },
      204: { description: 'None' },
    });
    const { login, key, old } = page.components.securitySchemes;
    expect(login.description).toBe(
      'Device authorization URL: https://a.example/device · Metadata: https://a.example/meta',
    );
    expect(old.description).toBe('Deprecated');
    expect(key).toEqual({ type: 'apiKey', in: 'header', name: 'K' });
    expect(page.servers).toEqual([
      { url: '/', description: 'production: https://a.example · staging: /b' },
    ]);
  });

  it('has the dataValue and the serializedValue of examples as value', () => {
    const { paths, components } = pageOf(`
paths:
  /a:
    get:
      responses:
        '200':
          content:
            application/json:
              examples:
                one: {summary: s, dataValue: {a: 1}, serializedValue: '{"a":1}'}
                two: {serializedValue: '{"id":9007199254740993}'}
                three: {serializedValue: 'no JSON'}
                four: {externalValue: 'a.json'}
components:
  examples: {shared: {dataValue: 1}}
  schemas: {A: {type: object, properties: {examples: {type: object, properties: {value: {type: string}}}}}}
`);
    expect(paths['/a'].get.responses[200].content['application/json'].examples).toEqual({
      one: { summary: 's', value: { a: 1 } },
      two: { value: '{\n  "id": 9007199254740993\n}' },
      three: { serializedValue: 'no JSON' },
      four: { externalValue: 'a.json' },
    });
    expect(components.examples.shared).toEqual({ value: 1 });
    const { examples } = components.schemas.A.properties;
    expect(examples).toEqual({ type: 'object', properties: { value: { type: 'string' } } });
  });

  const TOY =
    '{type: object, xml: {name: toy}, required: [id], properties: {id: {type: integer, format: int64, xml: {nodeType: attribute}}, name: {type: string, xml: {nodeType: cdata}}}}';
  const operation = (content: string, responses = "{'204': {description: d}}") =>
    `paths: {/a: {post: {operationId: a, requestBody: {content: ${content}}, responses: ${responses}}}}`;
  const contentsOf = (yaml: string) => pageOf(yaml).paths['/a'].post.requestBody.content;

  it.each([
    ['application/jsonl', '{itemSchema: I, example: [{id: 1}, {id: 2}]}', '{"id":1}\n{"id":2}\n'],
    ['application/x-ndjson', '{x-item-schema: I, example: [{id: 1}]}', '{"id":1}\n'],
    ['application/json-seq', '{itemSchema: I, example: [{id: 1}]}', '\x1e{"id":1}\n'],
    ['application/jsonl', '{itemSchema: I}', /^(?:\{"id":\d+.*\}\n){2}$/],
    ['application/jsonl', '{itemSchema: I, example: "as written"}', 'as written'],
    [
      'text/event-stream',
      '{itemSchema: {properties: {data: I}}, example: [{event: e, data: {id: 1}}]}',
      'event: e\ndata: {"id":1}\n\n',
    ],
    ['multipart/mixed', '{itemSchema: I}', undefined],
  ])('shows the items of %s: %s', (type, media, text) => {
    const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const { [type]: shown } = contentsOf(
      operation(`{${type}: ${media.replace('I', JSON.stringify(item))}}`),
    );
    const items = type === 'text/event-stream' ? { properties: { data: item } } : item;
    expect(shown.schema).toEqual({ type: 'array', items });
    if (text instanceof RegExp) expect(shown.example).toMatch(text);
    else expect(shown.example).toBe(text);
  });

  it('shows XML by its node types, in requests, responses and named examples', () => {
    const examples = '{one: {dataValue: {id: 7, name: a&b}}, two: {serializedValue: <toy/>}}';
    const page = pageOf(
      operation(
        `{application/xml: {schema: ${TOY}}}`,
        `{'200': {description: d, content: {application/xml: {schema: ${TOY}, examples: ${examples}}}}}`,
      ),
    );
    const { requestBody, responses } = page.paths['/a'].post;
    const start = '<?xml version="1.0" encoding="UTF-8"?>\n';
    expect(requestBody.content['application/xml'].example).toMatch(
      /<toy id="\d+">(?:<!\[CDATA\[.*\]\]>)?<\/toy>/,
    );
    expect(responses['200'].content['application/xml'].examples).toEqual({
      one: { value: `${start}<toy id="7"><![CDATA[a&b]]></toy>` },
      two: { value: '<toy/>' },
    });
  });

  it('marks methods that are not served', () => {
    const each = (id: string) => `{operationId: ${id}, summary: s, description: d, responses: {}}`;
    const { additionalOperations } = pageOf(
      `paths: {/a: {additionalOperations: {COPY: ${each('a')}, CONNECT: ${each('b')}, TOYS: ${each('c')}}}}`,
    ).paths['/a'];
    const shown = Object.entries<Record<string, string>>(additionalOperations).map(
      ([method, { summary, description }]) => [method, summary, description],
    );
    expect(shown).toEqual([
      ['COPY', 's', 'd'],
      ['CONNECT', 'Not served · s', 'Not served: Node does not receive CONNECT\n\nd'],
      ['TOYS', 'Not served · s', 'Not served: Node does not receive TOYS\n\nd'],
    ]);
  });
});
