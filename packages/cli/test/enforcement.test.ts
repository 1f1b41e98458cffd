// The enforcement list of contracts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { EXCLUSIVE, PROBES } from '@stubwright/test-support/keywordProbes';
import { FIGMA, GITHUB, itWith } from '@stubwright/test-support/publicContracts';
import { parse } from 'yaml';
import { ENFORCED_KEYWORDS } from '../src/enforcement/constructs.ts';
import { enforcementOf, unexplained } from '../src/enforcement/enforcement.ts';
import { loadContractFiles } from '../src/loading/load.ts';
import { createEmptyProject } from './support/toyProject.ts';

const CONTRACT = `
openapi: 3.0.3
x-not-enforced: {'pattern (?>a)': read by a proxy}
components:
  schemas: {Named: {type: object, xml: {namespace: u}}}
  securitySchemes: {o: {type: oauth2, flows: {}}, m: {type: mutualTLS}}
paths:
  /a:
    post:
      operationId: a
      security: [{o: [read], m: []}]
      parameters:
        - {name: p, in: query, style: deepObject, explode: true, schema: {type: object}}
        - {name: c, in: cookie, schema: {type: array, items: {type: integer, format: int32}}}
      requestBody:
        content:
          application/json: {schema: {type: string, pattern: '(?>a)', format: vehicle, madeUp: 1}}
          image/png: {schema: {type: string, format: binary}}
          application/pdf: {schema: {type: object}}
          application/xml: {schema: {$ref: '#/components/schemas/Named'}}
          image/svg+xml: {schema: {type: string}}
      responses:
        4XX:
          description: e
          content: {application/problem+xml: {schema: {$ref: '#/components/schemas/Named'}}}
        '200':
          description: ok
          headers: {X: {required: true, schema: {type: integer}}}
          content: {application/json: {schema: {nullable: true, type: string}}}
      callbacks: {}
`;

async function listOf(text: string) {
  const definition = new Contract(parse(text));
  return { definition, rows: enforcementOf(definition) };
}

describe('enforcementOf', () => {
  describe.each([
    // The media type has an object schema, but its name does not end in +json.
    ['GitHub', GITHUB, ['application/vnd.github.object']],
    ['Figma', FIGMA, []],
  ])('of the contract of %s', (_, path, constructs) => {
    itWith(path)(
      `reports these constructs as not enforced: ${JSON.stringify(constructs)}`,
      async () => {
        const { definition } = await loadContractFiles(path);
        const rows = enforcementOf(definition);
        const left = rows.filter(({ enforcement }) => enforcement.startsWith('not'));
        expect(left.map(({ construct }) => construct)).toEqual(constructs);
      },
      60_000,
    );
  });

  it.each([
    ['keyword', 'nullable', 'enforced'],
    ['keyword', 'madeUp', 'not enforced: not a keyword of OpenAPI 3.0.3'],
    ['format', 'integer int32', 'enforced'],
    ['format', 'string vehicle', 'annotation'],
    ['pattern', '(?>a)', 'not enforced: not an ECMAScript regular expression'],
    ['parameter', 'query deepObject exploded object', 'enforced'],
    ['parameter', 'cookie form exploded array', 'enforced'],
    ['request media type', 'application/json', 'enforced'],
    ['request media type', 'image/png', 'annotation'],
    [
      'request media type',
      'application/pdf',
      'not enforced: a stream is not validated against the schema',
    ],
    ['request media type', 'application/xml', 'enforced'],
    ['request media type', 'image/svg+xml', 'annotation'],
    ['response media type', 'application/problem+xml', 'enforced'],
    ['xml', 'namespace', 'not enforced: requests may use any prefix and namespace'],
    ['security', 'oauth2', 'enforced'],
    ['security', 'scopes', 'enforced'],
    ['security', 'mutualTLS', 'not enforced: the engine cannot check it'],
    ['operation', 'callbacks', 'annotation'],
  ])('reports %s %s as %s', async (kind, construct, enforcement) => {
    const { rows } = await listOf(CONTRACT);
    const row = rows.find((each) => each.kind === kind && each.construct === construct);
    expect(row?.enforcement).toBe(enforcement);
  });

  it('requires a reason in x-not-enforced for each construct that is not enforced', async () => {
    const { definition, rows } = await listOf(CONTRACT);
    const left = unexplained(definition, rows).map(({ kind, construct }) => `${kind} ${construct}`);
    expect(left).toEqual([
      'keyword madeUp',
      'request media type application/pdf',
      'security mutualTLS',
      'xml namespace',
    ]);
  });

  it('reports constructs of OpenAPI 3.2 that the engine does not support', async () => {
    const { rows } = await listOf(`
openapi: 3.2.0
$self: https://a.b/openapi.yaml
servers: [{url: /, name: own}]
tags: [{name: a}, {name: b, parent: a, kind: nav}]
paths:
  /toys:
    query: {responses: {'200': {content: {application/octet-stream: {itemSchema: {type: integer}}}}}}
    additionalOperations: {LINK: {responses: {'204': {}}}, FOO: {responses: {'204': {}}}}
`);
    const named = rows.map((row) => `${row.kind} ${row.construct}: ${row.enforcement}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'document $self: enforced',
        'server name: annotation',
        'tag kind: annotation',
        'tag parent: annotation',
        'operation method FOO: not enforced: no server of Node receives the method',
        'media type itemSchema: not enforced: the media type is not read as a sequence',
      ]),
    );
  });

  it('reports sequences', async () => {
    const { rows } = await listOf(`
openapi: 3.2.0
paths:
  /toys:
    get:
      responses:
        '200':
          content:
            application/jsonl: {itemSchema: {type: integer, maximum: 3}}
            application/json-seq: {schema: {type: array, maxItems: 3, items: {type: string, format: date}}}
            text/event-stream:
              itemSchema:
                properties: {data: {type: string, contentMediaType: application/json, contentSchema: {minimum: 3}}}
`);
    expect(rows.map((row) => `${row.kind} ${row.construct}: ${row.enforcement}`)).toEqual([
      'format string date: enforced',
      'keyword contentMediaType: annotation',
      'keyword contentSchema: enforced',
      'keyword maximum: enforced',
      'keyword maxItems: not enforced: a sequence is not validated as a whole',
      'keyword minimum: enforced',
      'keyword properties: enforced',
      'keyword type: enforced',
      'media type itemSchema: enforced',
      'response media type application/json-seq: enforced',
      'response media type application/jsonl: enforced',
      'response media type text/event-stream: enforced',
    ]);
  });

  it('reports the Encoding Objects of parts that are not read, with their location', async () => {
    const array = 'schema: {type: array}';
    const { rows } = await listOf(`
openapi: 3.2.0
paths:
  /toys:
    post:
      requestBody:
        content:
          multipart/mixed: {${array}, prefixEncoding: [{contentType: image/png}], itemEncoding: {contentType: a/b}}
          multipart/mixed;v=2: {itemSchema: {type: object}, prefixEncoding: [{contentType: a/b+json}], itemEncoding: {contentType: a/b+json}}
          multipart/related: {schema: {type: object}, encoding: {a: {contentType: a/b}}}
          multipart/form-data: {schema: {type: object}, encoding: {a: {contentType: a/b}}}
      responses: {'200': {content: {multipart/form-data: {${array}, itemEncoding: {contentType: a/b}}}}}
`);
    const encodings = rows.filter(({ construct }) => /encoding$/i.test(construct));
    const named = encodings.map(
      ({ construct, enforcement, pointer }) =>
        `${construct}: ${enforcement} ${pointer.replace(/^.*content/, '')}`,
    );
    expect(named).toEqual([
      'encoding: not enforced: the parts of multipart/related are not read /multipart~1related/encoding',
      'itemEncoding: enforced /multipart~1mixed;v=2/itemEncoding',
      'itemEncoding: not enforced: parts are read by their names /multipart~1form-data/itemEncoding',
      'itemEncoding: not enforced: the parts of multipart/mixed are not read /multipart~1mixed/itemEncoding',
      'prefixEncoding: not enforced: all parts are read alike /multipart~1mixed;v=2/prefixEncoding',
      'prefixEncoding: not enforced: the parts of multipart/mixed are not read /multipart~1mixed/prefixEncoding',
    ]);
  });

  it('reports nothing in openapi.yaml as not enforced', async () => {
    const { rows } = await listOf(readFileSync('openapi.yaml', 'utf8'));
    expect(rows.filter(({ enforcement }) => enforcement.startsWith('not'))).toEqual([]);
    expect(rows.length).toBeGreaterThan(10);
  });

  it('knows the keywords and the parameter styles that the tests of the engine verify', () => {
    const probed = [...Object.keys(PROBES), ...Object.keys(EXCLUSIVE), 'default'];
    expect([...ENFORCED_KEYWORDS].sort()).toEqual(probed.sort());
  });

  it.each([
    ...['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
    ...['$comment', '$schema', '$vocabulary', 'discriminator'],
    ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  ])('reports %s as an annotation', async (keyword) => {
    const content = `{application/json: {schema: {${keyword}: {}}}}`;
    const { rows } = await listOf(`
openapi: 3.1.0
paths: {/a: {post: {requestBody: {content: ${content}}, responses: {}}}}
`);
    expect(rows.filter(({ kind }) => kind === 'keyword')).toMatchObject([
      { construct: keyword, enforcement: 'annotation' },
    ]);
  });

  it('reports the styles whose values cannot be read', async () => {
    const parameters = ['deepObject', 'pipeDelimited', 'spaceDelimited', 'form'].flatMap((style) =>
      [true, false].flatMap((explode) =>
        ['integer', 'array', 'object'].map((type) => ({
          ...{ name: `${style}${explode}${type}`, in: 'query', style, explode },
          schema: { type },
        })),
      ),
    );
    const { rows } = await listOf(
      JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { parameters, responses: {} } } } }),
    );
    const left = rows.filter(({ enforcement }) => enforcement.startsWith('not'));
    expect(left.map(({ construct, enforcement }) => `${construct}: ${enforcement}`)).toEqual(
      [
        'query deepObject exploded scalar',
        'query deepObject scalar',
        'query pipeDelimited exploded object',
        'query spaceDelimited exploded object',
      ].map((construct) => `${construct}: not enforced: the value cannot be read`),
    );
  });

  it('reports the keywords of an array that the items of a sequence do not decide', async () => {
    const array = {
      ...{ minItems: 1, maxItems: 2, uniqueItems: true, contains: {}, prefixItems: [{}] },
      unevaluatedItems: {},
    };
    const content = { 'application/jsonl': { itemSchema: { minLength: 1 }, schema: array } };
    const { rows } = await listOf(
      JSON.stringify({
        openapi: '3.2.0',
        paths: { '/a': { get: { responses: { 200: { description: 'ok', content } } } } },
      }),
    );
    const keywords = rows.filter(({ kind }) => kind === 'keyword');
    const reason = 'not enforced: a sequence is not validated as a whole';
    expect(keywords.map(({ construct, enforcement }) => [construct, enforcement])).toEqual([
      ...[
        ['contains', reason],
        ['maxItems', reason],
        ['minItems', reason],
      ],
      ...[
        ['minLength', 'enforced'],
        ['prefixItems', reason],
      ],
      ...[
        ['unevaluatedItems', reason],
        ['uniqueItems', reason],
      ],
    ]);
  });

  it.each(['minLength', 'maxLength', 'pattern', 'enum', 'const', 'not'])(
    'reports that %s does not restrict bytes',
    async (keyword) => {
      const content = `{image/png: {schema: {type: string, ${keyword}: a}}}`;
      const { rows } = await listOf(`
openapi: 3.1.0
paths: {/a: {post: {requestBody: {content: ${content}}, responses: {}}}}
`);
      expect(rows.find(({ construct }) => construct === keyword)?.enforcement).toBe(
        'not enforced: the bytes of image/png are not validated',
      );
    },
  );

  it('classifies a keyword per location', async () => {
    const content = (type: string) =>
      `{content: {${type}: {schema: {type: string, minLength: 9}}}}`;
    const { rows } = await listOf(`
openapi: 3.1.0
paths:
  /a: {post: {requestBody: ${content('application/json')}, responses: {}}}
  /b: {post: {requestBody: ${content('application/xml')}, responses: {}}}
`);
    expect(rows.filter(({ construct }) => construct === 'minLength')).toMatchObject([
      { kind: 'keyword', construct: 'minLength', count: 1, enforcement: 'enforced' },
      {
        kind: 'keyword',
        construct: 'minLength',
        count: 1,
        enforcement: 'not enforced: the bytes of application/xml are not validated',
      },
    ]);
  });
});

describe('stubwright check --list', () => {
  it('reports the errors of a contract that does not load', async () => {
    const project = createEmptyProject([]);
    try {
      project.write('openapi.yaml', 'openapi: 3.0.3\n');
      const { status, err } = await project.run('check', '--list');
      expect(err).toMatch(/^stubwright: openapi\.yaml:\d+:\d+ {2}\S.*\n$/);
      expect(status).toBe(2);
    } finally {
      project.remove();
    }
  });

  it.each([
    ['github', /^stubwright: --format: got github, expected text or json with --list\n$/],
    ['sarif', /got sarif/],
    ['junit', /got junit/],
  ])('rejects --format %s', async (format, line) => {
    const project = createEmptyProject([]);
    try {
      const { status, out, err } = await project.run('check', '--list', '--format', format);
      expect({ status, out, err }).toEqual({
        ...{ status: 2, out: '' },
        err: expect.stringMatching(line),
      });
    } finally {
      project.remove();
    }
  });

  it.each([
    ['--max-warnings', '0'],
    ['--errors', 'problem'],
    ['--caller', 'X-Client'],
  ])('rejects %s, which applies to findings', async (name, value) => {
    const project = createEmptyProject([]);
    try {
      const { status, err } = await project.run('check', '--list', name, value);
      expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(name) });
    } finally {
      project.remove();
    }
  });
});

it('lists the security schemes of operations, and what verifiers need not read', () => {
  const securitySchemes = {
    oauth: {
      type: 'oauth2',
      oauth2MetadataUrl: 'https://a.example',
      flows: { deviceAuthorization: { deviceAuthorizationUrl: 'd', tokenUrl: 't', scopes: {} } },
    },
    digest: { type: 'http', scheme: 'Digest' },
    key: { type: 'apiKey', in: 'query', name: 'k' },
  };
  const get = {
    security: [{ oauth: ['read'], digest: [] }, { key: [] }, { none: [] }],
    responses: { 200: { description: 'ok' } },
  };
  const rows = enforcementOf(
    new Contract({ openapi: '3.2.0', components: { securitySchemes }, paths: { '/a': { get } } }),
  );
  const unchecked = 'not enforced: the engine cannot check it';
  expect(
    rows
      .filter(({ kind }) => kind === 'security')
      .map(({ construct, enforcement }) => `${construct}: ${enforcement}`)
      .sort(),
  ).toEqual([
    'apiKey query: enforced',
    'deviceAuthorization: annotation',
    `http Digest: ${unchecked}`,
    'oauth2: enforced',
    'oauth2MetadataUrl: annotation',
    'scopes: enforced',
    `undeclared: ${unchecked}`,
  ]);
});
