// Facts that the diff reads from the model of the contract: which servers, encodings and headers apply.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { RESPONSES, rulesOf, toyContract } from './toyContract.ts';

describe('the servers of a path item', () => {
  const served = (url: string) => ({
    servers: [{ url }],
    additionalOperations: { COPY: { responses: RESPONSES } },
  });

  it('are those of its additional operations', () => {
    const rules = rulesOf(served('https://a.example'), served('https://b.example'));
    expect(rules).toEqual(['server-removed', 'server-added']);
  });
});

describe('the encoding of a property', () => {
  const form = (type: string, schema: object, encoding: object) => ({
    post: { requestBody: { content: { [type]: { schema, encoding } } }, responses: RESPONSES },
  });
  const styles = (schema: object, name: string) =>
    (['form', 'pipeDelimited'] as const).map((style) =>
      form('application/x-www-form-urlencoded', schema, { [name]: { style } }),
    ) as [object, object];

  it.each([
    ['that allOf declares', 'a', (properties: object) => ({ allOf: [{ properties }] })],
    ['with a slash in its name', 'a/b', (properties: object) => ({ properties })],
  ])('%s does not change the text of a string', (_what, name, schemaOf) => {
    const [text, texts] = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }];
    expect(rulesOf(...styles(schemaOf({ [name]: text }), name))).toEqual([]);
    const changed = rulesOf(...styles(schemaOf({ [name]: texts }), name));
    expect(new Set(changed)).toEqual(new Set(['request-serialization-changed']));
  });

  it('ignores the header Content-Type', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const withHeader = (name: string) => {
      const headers = { [name]: { required: true, schema: { type: 'string' } } };
      return form('multipart/form-data', schema, { a: { headers } });
    };
    const none = form('multipart/form-data', schema, { a: {} });
    expect(rulesOf(none, withHeader('Content-Type'))).toEqual([]);
    expect(rulesOf(none, withHeader('X-Hash'))).toEqual(['request-encoding-changed']);
  });
});

describe('the format of a value that clients send', () => {
  const sent = (format: string, type: string) => ({
    post: {
      requestBody: { content: { 'application/json': { schema: { type, format } } } },
      responses: RESPONSES,
    },
  });
  const text = [
    ['uri', 'uri-reference'],
    ['ipv4', 'hostname'],
  ] as const;
  const integers = [
    ...(['int16', 'int32', 'int64'] as const).map((wider) => ['int8', wider] as const),
    ...(['int32', 'int64'] as const).map((wider) => ['int16', wider] as const),
    ...(['int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'] as const).map(
      (wider) => ['uint8', wider] as const,
    ),
    ...(['int32', 'uint32', 'int64', 'uint64'] as const).map((wider) => ['uint16', wider] as const),
    ...(['int64', 'uint64'] as const).map((wider) => ['uint32', wider] as const),
    ['int32', 'int64'] as const,
  ];

  it.each([
    ...text.map((formats) => ['string', ...formats] as const),
    ...integers.map((formats) => ['integer', ...formats] as const),
    ['number', 'float', 'double'] as const,
  ])('of the type %s may become wider: %s, %s', (type, narrow, wide) => {
    expect(rulesOf(sent(narrow, type), sent(wide, type))).toEqual(['request-format-widened']);
    expect(rulesOf(sent(wide, type), sent(narrow, type))).toEqual(['request-format-narrowed']);
  });
});

describe('the character encoding of a text that clients send', () => {
  const sent = (charset: string) => ({
    post: {
      requestBody: { content: { [`text/plain; charset=${charset}`]: {} } },
      responses: RESPONSES,
    },
  });
  const severities = (before: string, after: string) =>
    changesBetween(toyContract(sent(before)), toyContract(sent(after))).map(
      ({ rule, severity }) => `${rule} ${severity}`,
    );

  it.each([
    ['utf8', 'UTF-8'],
    ['ascii', 'us-ascii'],
    ['latin1', 'iso-8859-1'],
  ])('%s is %s', (alias, name) => {
    expect(severities(alias, name)).toEqual([]);
  });

  it.each(['utf-8', 'iso-8859-1', 'windows-1252'])('%s includes ASCII', (charset) => {
    expect(severities('us-ascii', charset)).toEqual(['request-charset-changed compatible']);
  });

  it.each(['utf-16', 'utf16le', 'utf-32', 'ucs-2', 'ebcdic-us', 'cp037'])(
    'as ASCII is misread as %s',
    (charset) => {
      expect(severities('us-ascii', charset)).toEqual(['request-charset-changed breaking']);
    },
  );
});

describe('the flow of a security scheme', () => {
  const FLOW = { authorizationUrl: 'a', deviceAuthorizationUrl: 'd', tokenUrl: 't', scopes: {} };
  const secured = (flow: object): { readonly definition: Contract } => {
    const scheme = { type: 'oauth2', flows: { authorizationCode: { ...FLOW, ...flow } } };
    const { definition } = toyContract({
      get: { security: [{ toys: [] }], responses: RESPONSES },
    });
    const components = { securitySchemes: { toys: scheme } };
    return { definition: new Contract({ ...definition.document, components }) };
  };
  const rulesBetween = (before: object, after: object) =>
    changesBetween(secured(before), secured(after)).map(({ rule }) => rule);

  it.each(['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl'])(
    'refuses clients of another %s',
    (url) => {
      expect(rulesBetween({}, { [url]: 'other' })).toEqual([
        'security-requirement-removed',
        'security-requirement-added',
      ]);
    },
  );

  it('has a URL of refreshed tokens that only clients of the older contract use', () => {
    expect(rulesBetween({}, { refreshUrl: 'r' })).toEqual(['security-requirement-added']);
    expect(rulesBetween({ refreshUrl: 'r' }, { refreshUrl: 's' })).toEqual([
      'security-requirement-removed',
      'security-requirement-added',
    ]);
  });
});

describe('an additional operation', () => {
  const additional = (method: string) => ({
    additionalOperations: { [method]: { responses: RESPONSES } },
  });

  it('has a method of another case', () => {
    expect(rulesOf(additional('COPY'), additional('copy'))).toEqual([
      'operation-removed',
      'operation-added',
    ]);
  });
});

describe('a header that a response gains', () => {
  const reply = (headers: object) =>
    toyContract({ get: { responses: { 200: { description: 'a toy', headers } } } });

  it('is compatible, and has its location', () => {
    const more = reply({ 'X-A': { schema: { type: 'string' } } });
    const found = changesBetween(reply({}), more).map(({ rule, severity, part, after }) => [
      ...[rule, severity, part, after],
    ]);
    const pointer = '/paths/~1toys/get/responses/200/headers/X-A';
    expect(found).toEqual([
      ['response-header-added', 'compatible', 'response 200 header X-A', pointer],
    ]);
  });
});
