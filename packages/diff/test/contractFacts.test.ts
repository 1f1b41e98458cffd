// Facts that the diff reads from the model of the contract: which servers, encodings and headers apply.
import { describe, expect, it } from '@jest/globals';
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
