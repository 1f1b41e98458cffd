// What a contract declares: servers, schemas, encodings, flows, webhooks and callbacks.
import { describe, expect, it } from '@jest/globals';
import { Contract, withoutNullable } from '@stubwright/contract';

const INFO = { title: 'Toys', version: '1.0.0' };
const RESPONSES = { 204: { description: 'done' } };

function definitionOf(parts: object): Contract {
  return new Contract({ openapi: '3.2.0', info: INFO, ...parts });
}

describe('servers', () => {
  const urls = (list: { servers: readonly { url: string }[] } | undefined) =>
    list?.servers.map(({ url }) => url);

  it('are those of the operation, else of its path item', () => {
    const own = { responses: RESPONSES, servers: [{ url: '/own' }] };
    const { operations } = definitionOf({
      servers: [{ url: '/all' }],
      paths: {
        '/a': { servers: [{ url: '/item' }], get: own, put: { responses: RESPONSES } },
        '/b': { get: { responses: RESPONSES } },
        '/d': { $ref: '#/components/pathItems/D' },
        '/e': { servers: [{ url: '/item' }], $ref: '#/components/pathItems/D' },
        '/c': {
          servers: [{ url: '/item' }],
          additionalOperations: { COPY: { responses: RESPONSES } },
        },
      },
      components: { pathItems: { D: { servers: [{ url: '/d' }, 1, {}], get: own, put: {} } } },
    });
    expect(operations.map(({ route, servers }) => [route, urls(servers)])).toEqual([
      ['get /a', ['/own']],
      ['put /a', ['/item']],
      ['get /b', undefined],
      ['get /d', ['/own']],
      ['put /d', ['/d', '/']],
      ['get /e', ['/own']],
      ['put /e', ['/item']],
      ['copy /c', ['/item']],
    ]);
    expect(operations.map(({ basePaths }) => basePaths)).toEqual([
      ['/own'],
      ['/item'],
      ['/all'],
      ['/own'],
      ['/d', ''],
      ['/own'],
      ['/item'],
      ['/item'],
    ]);
    expect(operations.slice(0, 3).map(({ servers }) => servers?.pointer)).toEqual([
      ...['/paths/~1a/get/servers', '/paths/~1a/servers', undefined],
    ]);
  });

  it('are / by default', () => {
    const declared = definitionOf({ servers: [{ url: 'https://a.example' }] }).servers;
    expect([urls(declared), declared.pointer]).toEqual([['https://a.example'], '/servers']);
    const none = definitionOf({ servers: [] }).servers;
    expect([urls(none), none.pointer]).toEqual([['/'], '']);
  });

  it('have variables', () => {
    const variables = { v: { default: 1, enum: ['1', '2'] } };
    const [server] = definitionOf({ servers: [{ url: '/{v}', variables }] }).servers.servers;
    expect([...server!.variables]).toEqual([['v', variables.v]]);
    expect([...server!.defaults]).toEqual([['v', '1']]);
  });
});

describe('the encodings of a form', () => {
  const schema = { type: 'object' };
  const contentOf = (media: object) => {
    const requestBody = { content: { 'multipart/mixed': { schema, ...media } } };
    const { operations } = definitionOf({
      paths: { '/a': { post: { requestBody, responses: RESPONSES } } },
    });
    return operations[0]!.request.get('multipart/mixed')!;
  };

  it('have defaults at the location of the media type', () => {
    const content = contentOf({ encoding: { a: { style: 'pipeDelimited' } } });
    const [own, other] = [content.encodingOf('a'), content.encodingOf('b')];
    expect(own.pointer).toBe(`${content.pointer}/encoding/a`);
    expect(own.styled).toMatchObject({ style: 'pipeDelimited', explode: false });
    expect(other.pointer).toBe(content.pointer);
    expect([other.fields, other.styled]).toEqual([
      [],
      { style: 'form', explode: true, allowReserved: false },
    ]);
  });

  it('apply by position', () => {
    const content = contentOf({
      prefixEncoding: [{ contentType: 'text/plain' }],
      itemEncoding: { contentType: 'image/png' },
    });
    const typesOf = (at: number) => content.encodingAt(at).contentTypes;
    expect([typesOf(0), typesOf(1)]).toEqual([['text/plain'], ['image/png']]);
    expect(content.encodingAt(0).pointer).toBe(`${content.pointer}/prefixEncoding/0`);
    expect(contentOf({}).encodingAt(0).pointer).toBe(content.pointer);
  });
});

describe('the requests that a service sends', () => {
  const item = { post: { responses: RESPONSES }, additionalOperations: { COPY: {} } };

  it('have their path items by name and by expression', () => {
    const callbacks = { done: { '{$url}': item, 'x-note': {} } };
    const definition = definitionOf({
      webhooks: { sold: item },
      paths: { '/a': { get: { callbacks, responses: RESPONSES } } },
    });
    const [operation] = definition.operations;
    expect([...definition.webhookItems.get('sold')!.operations.keys()]).toEqual(['post', 'copy']);
    const callback = definition.callbackObjectsOf(operation!).get('done')!;
    expect([...callback.items.keys()]).toEqual(['{$url}']);
    const sent = [...definition.webhooks, ...definition.callbacksOf(operation!)];
    expect(sent.map(({ name, expression, method }) => [name, expression, method])).toEqual([
      ['sold', undefined, 'post'],
      ['sold', undefined, 'copy'],
      ['done', '{$url}', 'post'],
      ['done', '{$url}', 'copy'],
    ]);
  });
});

describe('schemas and security schemes', () => {
  it('are found by name', () => {
    const flows = { clientCredentials: { tokenUrl: '/token', scopes: { read: 'Read toys' } } };
    const definition = definitionOf({
      components: {
        schemas: { 'a/b': { type: 'string' } },
        securitySchemes: { login: { type: 'oauth2', flows }, key: { type: 'apiKey' } },
      },
    });
    expect(definition.schemas.get('a/b')!.pointer).toBe('/components/schemas/a~1b');
    expect(definition.securitySchemes.get('login')!.flows).toEqual(flows);
    expect(definition.securitySchemes.get('key')!.flows).toEqual({});
    expect([definition.root.field('info'), definition.info?.field('title')]).toEqual([
      INFO,
      'Toys',
    ]);
  });
});

it('withoutNullable removes nullable where it has no meaning', () => {
  const components = { schemas: { A: { type: 'string', nullable: true } } };
  const typesIn = (openapi: string) => {
    const definition = new Contract({ openapi, info: INFO, components });
    return [...withoutNullable(definition).schemas.get('A')!.types!];
  };
  expect(typesIn('3.0.3')).toEqual(['string', 'null']);
  expect(typesIn('3.1.0')).toEqual(['string']);
  expect(components.schemas.A.nullable).toBe(true);
});
