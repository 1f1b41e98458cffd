// Deprecated operations, parameters and properties in the published contract, the log and the metrics.
import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import { parse } from 'yaml';
import { withDeprecationHeaders } from '../src/docs/contractFile.ts';
import { collectMetrics } from '../src/operations/admin/metrics.ts';
import type { SentResponse, ServiceEvents } from '../src/operations/events.ts';
import { createLog, logEvents } from '../src/operations/log.ts';

describe('the published contract', () => {
  const DATES = "deprecated: true, x-deprecated-since: '2026-01-31', x-sunset: '2027-01-31'";
  const OK = "responses: {'200': {description: ok}}";
  const document: Node = parse(`
openapi: 3.2.0
info: {title: t, version: '1'}
paths:
  /old:
    get: {operationId: old, ${DATES}, externalDocs: {url: 'https://a.test/why'}, ${OK}}
    additionalOperations:
      COPY: {operationId: copy, deprecated: true, x-sunset: '2031-01-01', ${OK}}
      UNLOCK: {operationId: unlock, ${OK}}
  /new:
    get:
      operationId: parameters
      parameters:
        - {in: query, name: q, schema: {type: string}, ${DATES}}
        - in: header
          name: X-Old
          schema: {type: string, deprecated: true, externalDocs: {url: 'https://a.test/why'}}
      ${OK}
    post:
      operationId: body
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Kind'}}}}
      ${OK}
  /none: {get: {operationId: none, ${OK}}}
components:
  schemas:
    Kind:
      type: object
      properties:
        old: {type: string, deprecated: true, x-sunset: '2026-12-01'}
        inner: {type: array, items: {$ref: '#/components/schemas/Kind'}}
`);
  const OLD = ['Deprecation', 'Sunset', 'Link'];
  const namesIn = (operation: Node) => Object.keys(operation.responses[200].headers ?? {});

  it('declares the headers of operations with deprecated parts', () => {
    const { paths } = withDeprecationHeaders(document);
    expect(namesIn(paths['/old'].get)).toEqual(OLD);
    expect(namesIn(paths['/new'].get)).toEqual(OLD);
    expect(namesIn(paths['/new'].post)).toEqual(['Sunset']);
    expect(namesIn(paths['/none'].get)).toEqual([]);
    const { COPY, UNLOCK } = paths['/old'].additionalOperations;
    expect([namesIn(COPY), namesIn(UNLOCK)]).toEqual([['Sunset'], []]);
    expect(document['paths']['/old'].get.responses[200]).toEqual({ description: 'ok' });
  });

  it('declares them for an operation behind a $ref of its path item', () => {
    const pathItems = { Old: document['paths']['/old'] };
    const published = withDeprecationHeaders({
      ...{ ...document, paths: { '/shared': { $ref: '#/components/pathItems/Old' } } },
      components: { ...document['components'], pathItems },
    });
    expect(namesIn(published['components'].pathItems.Old.get)).toEqual(OLD);
  });

  it('is the same without deprecated parts', () => {
    const plain = { ...document, paths: { '/none': document['paths']['/none'] }, components: {} };
    expect(withDeprecationHeaders(plain)).toBe(plain);
  });
});

describe('who uses deprecated parts', () => {
  const response = (caller: string): SentResponse => ({
    ...{ id: 'a', method: 'GET', route: '/a', operationId: 'a', status: 200 },
    ...{ durationMs: 1, bytes: 0, traceId: undefined, cause: undefined },
    deprecated: { caller, parts: ['operation'], sunset: Date.UTC(2027, 0, 31) },
  });

  it('is one log line for each caller and day', () => {
    const events = new EventEmitter<ServiceEvents>();
    const lines: string[] = [];
    logEvents(events, createLog('warn', { write: (line) => void lines.push(line) }));
    for (const caller of ['ann', 'bo', 'ann', 'ann']) events.emit('responded', response(caller));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { caller: 'ann', operationId: 'a', parts: ['operation'], sunset: '2027-01-31T00:00:00.000Z' },
      { caller: 'bo', msg: 'deprecated' },
    ]);
  });

  it('is a counter for each operation and caller, with a bounded number of callers', async () => {
    const events = new EventEmitter<ServiceEvents>();
    const metrics = collectMetrics(events, () => 0);
    for (let caller = 0; caller < 150; caller++) events.emit('responded', response(`c${caller}`));
    events.emit('responded', response('c1'));
    const text = await metrics();
    expect(text).toContain('http_deprecated_requests_total{operation="a",caller="c1"} 2\n');
    expect(text).toContain('http_deprecated_requests_total{operation="a",caller="other"} 50\n');
  });
});
