// The end of a served version: Deprecation, Sunset, and 410 after the day.
import { describe, expect, it } from '@jest/globals';
import { type Older, type ServedOptions, served } from './support.ts';

const CONTRACT = `
paths:
  /toy:
    get:
      operationId: getToy
      responses:
        200: {description: ok, content: {application/json: {schema: {type: string}}}}
        410: {description: gone, content: {application/json: {schema: {type: object, required: [code], properties: {code: {type: integer}, text: {type: string}}}}}}
`;

function serve(entry: Partial<Older>, options: Partial<ServedOptions> = {}) {
  return served({
    yaml: CONTRACT,
    older: [{ version: '1.0.0', path: '/v1', yaml: CONTRACT, converters: {}, ...entry }],
    handlers: { getToy: () => ({ status: 200, body: 'bear' }) },
    ...options,
  });
}

describe('a version with until', () => {
  it('announces its end in each response, and the current version does not', async () => {
    const { send } = await serve({ until: '2998-12-31' });
    const expected = { Deprecation: '@32472144000', Sunset: 'Tue, 01 Jan 2999 00:00:00 GMT' };
    expect(await send('/v1/toy')).toMatchObject({ status: 200, headers: expected });
    expect(await send('/v1/none')).toMatchObject({ status: 404, headers: expected });
    const { status, headers } = await send('/toy');
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('Sunset');
    expect(headers).not.toHaveProperty('Deprecation');
  });

  it('has the day of deprecated', async () => {
    const { send } = await serve({ until: '2998-12-31', deprecated: '2026-11-01' });
    const { headers } = await send('/v1/toy');
    expect(headers['Deprecation']).toBe(`@${Date.UTC(2026, 10, 1) / 1000}`);
  });

  it('is served on its last day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { send } = await serve({ until: today });
    expect(await send('/v1/toy')).toMatchObject({ status: 200 });
  });

  it('responds 410 after it, in its own format; the current version is served', async () => {
    const { send } = await serve({ until: '2020-06-30' });
    expect(await send('/v1/toy')).toMatchObject({
      ...{ status: 410, headers: { Sunset: 'Wed, 01 Jul 2020 00:00:00 GMT' } },
      body: { code: 410, text: 'version 1.0.0: served until 2020-06-30' },
    });
    expect(await send('/toy')).toMatchObject({ status: 200 });
  });
});
