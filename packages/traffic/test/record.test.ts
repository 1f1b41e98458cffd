// The one record of a request: from a file of a release, and from an entry of HAR.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import fc from 'fast-check';
import { entryOf, recordedFor } from '../src/reading/readTraffic.ts';
import { messageOf, type RecordedRequest, receivedRequest } from '../src/record/record.ts';

/** As version 0.1.0 of stubwright wrote it. */
const RELEASED = `[
  {
    "name": "a new toy",
    "situation": "empty",
    "requests": [
      {
        "operationId": "createToy",
        "method": "post",
        "path": "/toys",
        "headers": {"Authorization": "Bearer TOKEN", "Content-Type": "application/json"},
        "body": ["{\\"name\\":\\"", {"repeat": "Bä", "times": 3}, "\\"}"],
        "status": 200
      },
      {
        "operationId": "getToy",
        "method": "get",
        "path": "/toys/{id}?view={all}",
        "params": {"path": {"id": "a b"}},
        "headers": {},
        "values": {"$request.path.id": {"operationId": "createToy", "expression": "$response.body#/id"}},
        "status": 404
      }
    ]
  }
]
`;

const received = (record: RecordedRequest) => {
  const { bytes, ...head } = receivedRequest(messageOf(record));
  return { ...head, body: bytes.toString() };
};

describe('a file of a release', () => {
  it('holds records of requests', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder.path, '1.0.0.requests.json'), RELEASED);
    const [conversation, ...others] = recordedFor({ path: '1.0.0.yaml' }, folder.path);
    folder.remove();
    expect(others).toEqual([]);
    expect(conversation).toEqual(JSON.parse(RELEASED)[0]);
    const [created, read] = conversation!.requests;
    expect(received(created!)).toEqual({
      method: 'post',
      url: '/toys',
      headers: {
        authorization: 'Bearer TOKEN',
        'content-type': 'application/json',
        'content-length': '20',
      },
      body: '{"name":"BäBäBä"}',
    });
    expect(received(read!)).toEqual({
      ...{ method: 'get', url: '/toys/a%20b?view={all}', headers: {}, body: '' },
    });
  });

  it('that is missing is named', () => {
    expect(() => recordedFor({ path: 'none/1.0.0.yaml' })).toThrow(
      'none/1.0.0.requests.json: not found, expected the requests of none/1.0.0.yaml',
    );
  });
});

describe('a recorded request', () => {
  const text = fc.stringMatching(/^[a-z0-9 ]{1,9}$/);
  const record = fc.record(
    {
      method: fc.constantFrom('GET', 'POST'),
      path: fc.stringMatching(/^\/[a-z]{0,5}(?:\?[a-z]=[a-z]{0,3})?$/),
      headers: fc.dictionary(
        fc.stringMatching(/^X-[a-z]{1,4}$/),
        text.map((each) => each.trim()),
      ),
      body: fc.array(
        fc.oneof(text, fc.record({ repeat: text, times: fc.integer({ min: 1, max: 4 }) })),
        { minLength: 1 },
      ),
    },
    { requiredKeys: ['method', 'path', 'headers'] },
  );

  it('of a release is received as its HAR entry is', () => {
    fc.assert(
      fc.property(record, (released) => {
        const { method, target, headers, body } = messageOf(released as RecordedRequest);
        const request = {
          ...{ method, url: `https://shop.example${target}` },
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(body !== undefined && { postData: { mimeType: 'text/plain', text: body } }),
        };
        const entry = entryOf({ startedDateTime: '2026-11-01T00:00:00Z', request }, undefined)!;
        const expected = received(released as RecordedRequest);
        const type = body === undefined ? {} : { 'content-type': 'text/plain' };
        expect(received(entry)).toEqual({ ...expected, headers: { ...expected.headers, ...type } });
      }),
    );
  });

  it.each([
    [
      'the status, headers and body of the response',
      { status: 201, headers: [], content: { text: 'a' } },
      201,
    ],
    ['no response without headers', { status: 200 }, undefined],
    ['no response of a cancelled request', { status: 0, headers: [] }, undefined],
    ['no response that is missing', undefined, undefined],
  ])('of a HAR entry has %s', (_, response, status) => {
    const request = { method: 'GET', url: '/' };
    const entry = entryOf(
      { startedDateTime: '2026-11-01T00:00:00Z', request, response },
      undefined,
    );
    const body = Buffer.from('a');
    const rest = status === undefined ? {} : { status, response: { headers: {}, body } };
    const at = Date.UTC(2026, 10);
    expect(entry).toStrictEqual({
      at,
      caller: 'anonymous',
      method: 'GET',
      path: '/',
      headers: {},
      ...rest,
    });
  });
});
