// `stubwright diff --traffic`: whom a change breaks, according to recorded requests; commandOutput.test.ts has whole reports.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyProject, type ToyProject } from './support/toyProject.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
servers: [{url: /v1}]
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 100}}
        - {name: sort, in: query, schema: {type: string, enum: [name, age]}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}, tag: {type: string}}}}}}}}
    post:
      operationId: storeToy
      security: [{bearer: []}]
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 40}, tag: {type: string}, id: {type: integer, format: int64}}}}}
      responses: {'201': {description: ok}}
  /toys/{id}:
    delete:
      operationId: deleteToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: ok}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
`;

let project: ToyProject;
beforeEach(() => {
  project = createEmptyProject();
  project.write('old.yaml', CONTRACT);
});
afterEach(() => project.remove());

const URL_ROOT = 'https://api.toys.example/v1';

function entry(caller: string, day: number, method: string, path: string, body?: string): object {
  const postData =
    body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } };
  return {
    startedDateTime: `2025-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
    request: {
      ...{ method, url: URL_ROOT + path, headers: [{ name: 'X-App', value: caller }], ...postData },
    },
    response: { status: 200 },
  };
}

const ENTRIES = [
  entry('web', 1, 'GET', '/toys?limit=10&sort=name'),
  entry('web', 2, 'GET', '/toys?limit=50'),
  entry('batch', 3, 'GET', '/toys?limit=100'),
  entry('batch', 9, 'GET', '/toys?limit=90'),
  entry('mobile', 20, 'POST', '/toys', '{"name":"Teddy bear","id":9007199254740993}'),
  entry('web', 20, 'POST', '/toys', '{"name":"A very long name of a toy","tag":"soft"}'),
  entry('web', 30, 'POST', '/toys', '{"tag":"without a name"}'),
  entry('web', 30, 'GET', '/elsewhere'),
];

const lines = (entries: readonly object[]) =>
  entries.map((each) => `${JSON.stringify(each)}\n`).join('');

const RECORDING = ['--traffic', 'traffic.jsonl', '--caller', 'X-App'];

/** @returns what the change of the contract prints, without locations */
async function diff(changes: readonly [string, string][], ...args: string[]) {
  let text = CONTRACT;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  project.write('new.yaml', text);
  project.write('traffic.jsonl', lines(ENTRIES));
  return project.run('diff', 'old.yaml', 'new.yaml', ...RECORDING, ...args);
}

/** Of a message, of a list with a query, and of a toy whose name is a number. */
function pactOf(path: string, limit: string): object {
  const type = 'Synchronous/HTTP';
  const body = { content: { name: 7 }, contentType: 'application/json', encoded: false };
  return {
    ...{ consumer: { name: 'web' }, provider: { name: 'toys' } },
    interactions: [
      { type: 'Asynchronous/Messages', description: 'sold' },
      {
        ...{ type, request: { method: 'get', path, query: { limit: [limit] } } },
        response: { status: 200 },
      },
      { type, request: { method: 'POST', path, body }, response: { status: 201 } },
    ],
    metadata: { pactSpecification: { version: '4.0' } },
  };
}

const BATCH = 'batch (2 requests, last 2025-11-09)';
const UNUSED = 'no recorded request in 30 days uses it';
const once = (caller: string, day: string) => `${caller} (1 request, last 2025-11-${day})`;
const MAX_LIMIT: [string, string] = ['maximum: 100', 'maximum: 60'];
const NO_DELETE: [string, string] = ['    delete:', '    patch:'];

describe('stubwright diff --traffic', () => {
  it.each<[string, [string, string], string]>([
    ['a narrower parameter', MAX_LIMIT, `breaks ${BATCH}`],
    ['a shorter property', ['maxLength: 40', 'maxLength: 10'], `breaks ${once('web', '20')}`],
    ['an enum without a value', ['[name, age]', '[name]'], UNUSED],
    ['an enum without a used value', ['[name, age]', '[age]'], `breaks ${once('web', '01')}`],
    [
      'a new required property',
      ['required: [name]', 'required: [name, tag]'],
      `breaks ${once('mobile', '20')}`,
    ],
    [
      'another type of an int64',
      ['type: integer, format: int64', 'type: string'],
      `breaks ${once('mobile', '20')}`,
    ],
    ['a removed operation', NO_DELETE, UNUSED],
    ['a removed used operation', ['    get:', '    put:'], `breaks ${BATCH} and 1 other caller`],
    [
      'a removed property of a response',
      ['{name: {type: string}, tag: {type: string}}}}}}}}', '{name: {type: string}}}}}}}}'],
      `called by ${BATCH} and 1 other caller; the parts that they read are not recorded`,
    ],
  ])('names the callers that %s breaks', async (_, change, text) => {
    project.write('compatibility.yaml', 'traffic: {minimum-days: 20}');
    const { out, err } = await diff([change]);
    expect(out).toContain(`            ${text}\n`);
    expect(err).toContain('8 recorded requests in 30 days, 1 not of the first contract\n');
  });

  it('takes what a recording cannot show for used', async () => {
    project.write('compatibility.yaml', 'traffic: {minimum-days: 20}');
    const secured: [string, string] = [
      'operationId: listToys',
      'operationId: listToys\n      security: [{bearer: []}]',
    ];
    const { status, out } = await diff([secured], '--fail-on', 'used');
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('not visible in recorded requests\n'),
    ]);
  });

  it('takes a short recording for no evidence', async () => {
    project.write('compatibility.yaml', 'traffic: {minimum-days: 31}');
    const { out } = await diff([NO_DELETE]);
    expect(out).toContain('no evidence: the recording has 30 days of 31\n');
  });

  it('fails for a change that a caller notices, with --fail-on used', async () => {
    project.write('compatibility.yaml', 'traffic: {minimum-days: 20}');
    expect((await diff([NO_DELETE], '--fail-on', 'used')).status).toBe(0);
    const { status, err } = await diff([NO_DELETE, MAX_LIMIT], '--fail-on', 'used');
    expect(status).toBe(1);
    expect(err).toContain('1 breaking change since 1.0.0: expected none, or info.version 2.0.0\n');
    project.write('compatibility.yaml', 'traffic: {minimum-days: 31}');
    expect((await diff([NO_DELETE], '--fail-on', 'used')).status).toBe(1);
  });

  it.each(['sarif', 'github'])('writes the callers as %s', async (format) => {
    const { out } = await diff([MAX_LIMIT], '--format', format);
    expect(out).toContain(`breaks ${BATCH}`);
  });

  it('reads HAR files of browsers, and several files', async () => {
    project.write(
      'browser.har',
      `\ufeff${JSON.stringify({ log: { version: '1.2', entries: ENTRIES } }, null, 2)}`,
    );
    const { out } = await diff([MAX_LIMIT], '--traffic', 'browser.har');
    expect(out).toContain('breaks batch (4 requests, last 2025-11-09)');
  });

  it('reads Pact files', async () => {
    project.write('web.json', `\ufeff${JSON.stringify(pactOf('/toys', '90'), null, 2)}`);
    project.write('compatibility.yaml', 'traffic: {minimum-days: 1}');
    project.write('new.yaml', CONTRACT.replace(...MAX_LIMIT));
    const compare = (...args: string[]) =>
      project.run('diff', 'old.yaml', 'new.yaml', '--traffic', 'web.json', ...args);
    const { out, err } = await compare();
    expect(err).toContain('2 recorded requests in 0 days, 0 not of the first contract');
    expect(out).toContain('breaks web (1 request, last ');
    // A Pact file does not show that nobody uses a part.
    project.write('new.yaml', CONTRACT.replace(...NO_DELETE));
    const removed = await compare('--fail-on', 'used');
    expect(removed.out).toContain('no evidence: the recording has no dated request');
    expect(removed.status).toBe(1);
  });

  it('checks the requests and responses of Pact files', async () => {
    project.write('web.json', JSON.stringify(pactOf('/v1/toys', '900')));
    const { out } = await project.run('check', 'old.yaml', '--traffic', 'web.json');
    expect(out).toContain('GET /toys  query parameter limit expected to be <= 100: 1 time, web, ');
    expect(out).toContain('POST /toys  request body /name expected string: 1 time, web, ');
    project.write('web.json', '{"consumer": {}, "interactions": [{"request": {"method": "GET"}}]}');
    expect((await project.run('check', 'old.yaml', '--traffic', 'web.json')).err).toBe(
      'stubwright: web.json: interactions[0].request: expected method and path\n',
    );
    project.write('web.json', '{"consumer": {}, "interactions": [');
    expect((await project.run('check', 'old.yaml', '--traffic', 'web.json')).err).toBe(
      'stubwright: web.json: got a part of a file or invalid JSON, expected a Pact file\n',
    );
  });

  it('reports no part that the response of a Pact file leaves out', async () => {
    const text = `
openapi: 3.0.3
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: getToys
      responses:
        200:
          description: d
          headers: {X-Count: {required: true, schema: {type: integer}}}
          content:
            application/json:
              schema: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
`;
    project.write('partial.yaml', text);
    const violationsOf = async (response: object) => {
      const request = { method: 'GET', path: '/toys' };
      const interactions = [{ request, response: { status: 200, ...response } }];
      project.write('web.json', JSON.stringify({ consumer: { name: 'web' }, interactions }));
      const { out } = await project.run('check', 'partial.yaml', '--traffic', 'web.json');
      return out.split('\n').filter((line) => line.includes('1 time'));
    };
    expect(await violationsOf({})).toEqual([]);
    expect(await violationsOf({ body: { id: 1 } })).toEqual([]);
    const wrong = await violationsOf({ headers: { 'X-Count': 'a' }, body: { id: 'a' } });
    expect(wrong).toEqual([
      expect.stringContaining('response 200 header X-Count expected integer'),
      expect.stringContaining('response 200 /id expected integer'),
    ]);
    expect(await violationsOf({ status: 201 })).toHaveLength(1);
  });

  it('names anonymous callers without the header', async () => {
    project.write('new.yaml', CONTRACT.replace(...MAX_LIMIT));
    project.write('traffic.jsonl', lines(ENTRIES));
    const { out } = await project.run('diff', 'old.yaml', 'new.yaml', '--traffic', 'traffic.jsonl');
    expect(out).toContain('breaks anonymous (2 requests, last 2025-11-09)');
  });

  it.each([
    [
      '[]',
      'bad:1: got another file, expected HAR 1.2, a Pact file, or a HAR entry or a usage in each line',
    ],
    ['{"log":{"entries":[', 'bad: got a part of a file, expected HAR 1.2'],
    ['{"log":{"pages":[]}}', 'bad: got a part of a file, expected HAR 1.2'],
    ['{"log":{"entries":[7]}}', 'bad: log.entries: got another value, expected objects'],
    [
      '{"usage":1,"caller":"a","operation":"b","requests":1,"valid":1,"first":"2026-01-01","last":"2026-01-01","parts":{"a":["1",0,0]}}',
      'bad:1: got another file',
    ],
    ['{"log":{"entries":[{}]}}', 'log.entries[0]: expected method, url and startedDateTime'],
    [
      `${lines([ENTRIES[0]!])}{}\n`,
      'bad:2: got another text, expected a HAR entry or a usage in each line',
    ],
  ])('rejects the file %j', async (text, message) => {
    project.write('bad', text);
    const { status, err } = await diff([MAX_LIMIT], '--traffic', 'bad');
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('rejects a file that is not there, and --fail-on used without a recording', async () => {
    expect((await diff([MAX_LIMIT], '--traffic', 'none')).err).toContain(
      'none: there is no such file',
    );
    const { err } = await project.run('diff', 'old.yaml', 'old.yaml', '--fail-on', 'used');
    expect(err).toContain('--fail-on: got used, expected --traffic as well');
  });
});

describe('stubwright check --traffic', () => {
  const check = async (entries: readonly object[], ...args: string[]) => {
    project.write('traffic.jsonl', lines(entries));
    return project.run('check', 'old.yaml', ...RECORDING, ...args);
  };

  it('compares recorded responses', async () => {
    const response = (status: number, content: object) => ({ status, headers: [], content });
    const json = (text: string) => ({ mimeType: 'application/json', text });
    const base64 = { ...json(Buffer.from('[{"tag":8}]').toString('base64')), encoding: 'base64' };
    const get = entry('web', 1, 'GET', '/toys');
    const { out } = await check([
      { ...get, response: response(200, json('[{"name":"a"}]')) },
      { ...get, response: response(200, json('[{"name":"a"},{"name":7}]')) },
      { ...get, response: response(200, base64) },
      { ...get, response: response(500, {}) },
      { ...get, response: response(0, {}) },
    ]);
    expect(out).toContain(`
GET /toys  response 200 /*/name expected string: 1 time, web, 2025-11-01
GET /toys  response 200 /*/tag expected string: 1 time, web, 2025-11-01
GET /toys  response 500 status is not declared: 1 time, web, 2025-11-01
`);
  });

  describe('with a version that stays served', () => {
    const SERVED = `served:
  header: Api-Version
  versions:
    - version: '0.9.0'
      contract: older.yaml
    - version: '0.8.0'
      contract: older.yaml
`;
    const of = (contract: string, recorded: object) => ({ ...recorded, _contract: contract });
    const usage = {
      ...{ usage: 2, caller: 'web', operation: 'GET /toys', contract: '0.9.0', parts: [] },
      ...{ requests: 4, valid: 4, responses: { 200: 4 } },
      ...{ first: '2025-11-02T10:00:00.000Z', last: '2025-11-24T10:00:00.000Z' },
    };
    const RECORDED = [
      of('0.9.0', entry('batch', 3, 'GET', '/toys?limit=500')),
      usage,
      of('0.9.0', entry('mobile', 20, 'POST', '/toys', '{}')),
      of('0.9.0', entry('mobile', 21, 'GET', '/toys?limit=5000')),
      of('1.0.0', entry('new', 5, 'GET', '/toys?limit=10')),
      entry('unknown', 6, 'GET', '/toys?limit=500'),
    ];
    beforeEach(() => {
      project.write('compatibility.yaml', SERVED);
      const older = CONTRACT.replace('version: 1.0.0', 'version: 0.9.0');
      project.write('older.yaml', older.replace(...MAX_LIMIT).replace('60', '1000'));
    });

    it('names its callers by operation, and compares its requests with its contract', async () => {
      const { out } = await check(RECORDED);
      expect(out).toContain(`
GET /toys  query parameter limit expected to be <= 100: 1 time, unknown, 2025-11-06
0.9.0  POST /toys  request body /name is required: 1 time, mobile, 2025-11-20
0.9.0  GET /toys  query parameter limit expected to be <= 1000: 1 time, mobile, 2025-11-21
0.9.0  GET /toys: called by web (4 requests, last 2025-11-24), batch (1 request, last 2025-11-03), mobile (1 request, last 2025-11-21)
0.9.0  POST /toys: called by mobile (1 request, last 2025-11-20)
0.8.0: no recorded request
unused: GET /toys  query parameter sort
unused: POST /toys
unused: DELETE /toys/{id}
9 recorded requests of 5 callers: 3 violations, 3 unused
`);
    });

    it('writes its callers as JSON', async () => {
      const { out } = await check(RECORDED.slice(0, 2), '--format', 'json');
      expect(JSON.parse(out).traffic.versions).toEqual([
        {
          ...{ version: '0.9.0', requests: 5 },
          operations: [
            {
              operation: 'GET /toys',
              callers: [
                { caller: 'web', count: 4, last: '2025-11-24T10:00:00.000Z' },
                { caller: 'batch', count: 1, last: '2025-11-03T10:00:00.000Z' },
              ],
            },
          ],
        },
        { version: '0.8.0', requests: 0, operations: [] },
      ]);
    });

    it('takes the requests of the checked contract for its own, whatever is served', async () => {
      project.write('compatibility.yaml', SERVED.replace('0.9.0', '1.0.0'));
      const { out } = await check(RECORDED.slice(4));
      expect(out).toContain('0.8.0: no recorded request\n');
      expect(out).not.toContain('called by');
    });

    it('leaves its requests out of a comparison with another contract', async () => {
      project.write('new.yaml', CONTRACT.replace(...MAX_LIMIT));
      project.write('traffic.jsonl', lines(RECORDED));
      const args = ['diff', 'old.yaml', 'new.yaml', '--traffic', 'traffic.jsonl'] as const;
      const { err, out } = await project.run(...args, '--caller', 'X-App');
      expect(err).toContain('2 recorded requests in 2 days, 0 not of the first contract\n');
      expect(out).not.toContain('web');
    });
  });

  it('writes everything as JSON', async () => {
    const { out } = await check([entry('web', 22, 'GET', '/toys?limit=500')], '--format', 'json');
    expect(JSON.parse(out).traffic).toMatchObject({
      ...{ requests: 1, callers: 1, others: 0 },
      violations: [
        {
          ...{ operation: 'GET /toys', direction: 'request', location: 'query parameter limit' },
          ...{ message: 'expected to be <= 100', count: 1, callers: ['web'], example: 500 },
          ...{ first: '2025-11-22T10:00:00.000Z', last: '2025-11-22T10:00:00.000Z' },
        },
      ],
    });
  });
});
