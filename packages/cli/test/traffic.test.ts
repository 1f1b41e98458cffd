// `stubwright diff` and `check` with --traffic: which recorded requests are evidence, and whom a change breaks.
// commandOutput.test.ts has whole reports.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { harEntry, jsonLines, type Recorded } from './support/recordings.ts';
import { createFolder, type ToyProject } from './support/toyProject.ts';

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
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 40}, tag: {type: string}, size: {type: integer}}}}}
      responses: {'201': {description: ok}}
  /toys/{id}:
    delete:
      operationId: deleteToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: ok}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
`;

type Edit = readonly [from: string, to: string];
const MAX_LIMIT: Edit = ['maximum: 100', 'maximum: 60'];
const NO_DELETE: Edit = ['    delete:', '    patch:'];
const SHORTER: Edit = ['maxLength: 40', 'maxLength: 10'];
const NO_TAG: Edit = ['tag: {type: string}, size', 'size'];
const NO_SIZE: Edit = [', size: {type: integer}', ''];
const CLOSED_NO_TAG: Edit = [
  'required: [name], properties: {name: {type: string, maxLength: 40}, tag: {type: string}',
  'required: [name], additionalProperties: false, properties: {name: {type: string, maxLength: 40}',
];
const SECURED: Edit = [
  'operationId: listToys',
  'operationId: listToys\n      security: [{bearer: []}]',
];
const OTHER_SERVER: Edit = ['url: /v1', 'url: /v2'];

const list = (caller: string, day: number, query: string) =>
  harEntry({ caller, day, path: `/v1/toys${query}` });
const store = (body: object, more: Partial<Recorded> = {}) =>
  harEntry({
    ...{ day: 1, method: 'POST', path: '/v1/toys', body: JSON.stringify(body) },
    ...more,
  });
const remove = (path: string, day: number | string = 1) =>
  harEntry({ day, method: 'DELETE', path });
const usage = (more: object = {}) => ({
  ...{ usage: 2, caller: 'web', operation: 'DELETE /toys/{id}', contract: '1.0.0' },
  ...{ requests: 3, valid: 0, first: '2026-01-01T00:00:00Z', last: '2026-02-20T00:00:00Z' },
  ...{ responses: { 400: 3 }, parts: [], ...more },
});

/** On 30 days. */
const ENTRIES = [
  list('web', 1, '?limit=10&sort=name'),
  list('batch', 3, '?limit=100'),
  list('batch', 9, '?limit=90'),
  store({ tag: 'without a name' }, { day: 30 }),
  harEntry({ day: 30, path: '/v1/elsewhere' }),
];
const BATCH = 'batch (2 requests, last 2025-11-09)';

let project: ToyProject;
beforeEach(() => {
  project = createFolder();
  project.write('old.yaml', CONTRACT);
});
afterEach(() => project.remove());

const minimumDays = (days: number) =>
  project.write('compatibility.yaml', `traffic: {minimum-days: ${days}}`);

/** @returns the exit code, what is printed, and what that says about callers */
async function diff(edits: readonly Edit[], records: readonly object[], ...args: string[]) {
  const changed = edits.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, CONTRACT);
  project.write('new.yaml', changed);
  project.write('traffic.jsonl', jsonLines(records));
  const traffic = ['--traffic', 'traffic.jsonl', '--caller', 'X-App'];
  const run = await project.run('diff', 'old.yaml', 'new.yaml', ...traffic, ...args);
  const said = run.out
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:breaks|may break|no |not |called)/.test(line));
  return { ...run, said };
}
const gated = (edits: readonly Edit[], records: readonly object[]) =>
  diff(edits, records, '--fail-on', 'used');

describe('stubwright diff --traffic', () => {
  it.each<[string, Edit[], number, string]>([
    ['an unused operation', [NO_DELETE], 0, 'no recorded request in 30 days uses it'],
    ['an unused value', [['[name, age]', '[name]']], 0, 'no recorded request in 30 days uses it'],
    ['a part of a caller', [NO_DELETE, MAX_LIMIT], 1, `breaks ${BATCH}`],
    ['what a recording cannot show', [SECURED], 1, 'not visible in recorded requests'],
  ])('with --fail-on used, a change of %s', async (_, edits, expected, text) => {
    minimumDays(20);
    const { status, said, err } = await gated(edits, ENTRIES);
    expect({ status, said }).toEqual({ status: expected, said: expect.arrayContaining([text]) });
    expect(err).toContain('5 recorded requests in 30 days, 1 not of the first contract\n');
    const failure = '1 breaking change since 1.0.0: expected none, or info.version 2.0.0\n';
    expect(err.includes(failure)).toBe(expected === 1);
  });

  it.each(['sarif', 'github'])('writes the callers as %s', async (format) => {
    const { out } = await diff([MAX_LIMIT], ENTRIES, '--format', format);
    expect(out).toContain(`breaks ${BATCH}`);
  });

  it('reads HAR files of browsers, and several files', async () => {
    const har = { log: { version: '1.2', entries: ENTRIES } };
    project.write('browser.har', `\ufeff${JSON.stringify(har, null, 2)}`);
    const { said } = await diff([MAX_LIMIT], ENTRIES, '--traffic', 'browser.har');
    expect(said).toEqual(['breaks batch (4 requests, last 2025-11-09)']);
  });

  it('names anonymous callers without the header', async () => {
    const { said } = await diff([MAX_LIMIT], ENTRIES, '--caller', 'X-None');
    expect(said).toEqual(['breaks anonymous (2 requests, last 2025-11-09)']);
  });

  it.each([
    [
      '[]',
      'bad:1: got another file, expected HAR 1.2, a Pact file, or a HAR entry or a usage in each line',
    ],
    ['{"log":{"entries":[', 'bad: got a part of a file, expected HAR 1.2'],
    ['{"log":{"pages":[]}}', 'bad: got a part of a file, expected HAR 1.2'],
    ['{"log":{"entries":[7]}}', 'bad: log.entries: got another value, expected objects'],
    [jsonLines([usage({ usage: 1, parts: { a: ['1', 0, 0] } })]), 'bad:1: got another file'],
    ['{"log":{"entries":[{}]}}', 'log.entries[0]: expected method, url and startedDateTime'],
    [
      `${jsonLines([ENTRIES[0]!])}{}\n`,
      'bad:2: got another text, expected a HAR entry or a usage in each line',
    ],
    [
      jsonLines([ENTRIES[0]!, remove('/v1/toys/1', '2999-01-01')]),
      'bad:2: got 2999-01-01T10:00:00.000Z, expected a time in the past',
    ],
    [
      jsonLines([ENTRIES[0]!, usage({ valid: 3, last: '2999-01-01T10:00:00.000Z' })]),
      'bad:2: got 2999-01-01T10:00:00.000Z, expected a time in the past',
    ],
  ])('rejects the file %j', async (text, message) => {
    project.write('bad', text);
    const { status, err } = await diff([MAX_LIMIT], ENTRIES, '--traffic', 'bad');
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

const NOBODY = 'no evidence: the recording has no dated request of the first contract';
const USED = 'breaks web (1 request, last 2025-11-01)';
const UNUSED = 'no recorded request in 1 day uses it';
const mobile = { caller: 'mobile' };
const part = (path: readonly string[]) => ({
  ...{ subject: 'request body', path, count: 3, first: '2026-01-01', last: '2026-02-20' },
});
const storeUsage = (property: string) =>
  usage({
    ...{ operation: 'POST /toys', valid: 3 },
    parts: [{ ...part([]), mediaType: 'application/json' }, part(['name']), part([property])],
  });
const elsewhere = [
  remove('/gateway/toys/v7/toys/1', '2025-11-01'),
  remove('/gateway/toys/v7/toys/1', '2026-01-20'),
];

/** By default of at least one day. */
const EVIDENCE: readonly [string, Edit[], object[], string, days?: number][] = [
  ['no request of the contract', [NO_DELETE], elsewhere, NOBODY, 30],
  ['no request of the contract, with any minimum', [NO_DELETE], elsewhere, NOBODY, 0],
  ['no usage', [NO_DELETE], [usage({ operation: 'DELETE /others', valid: 3 })], NOBODY],
  ['nothing', [NO_DELETE], [], NOBODY, 0],
  [
    'few days of its requests',
    [NO_DELETE],
    [...elsewhere, store({ name: 'a' })],
    'no evidence: the recording has 1 day of 30',
    30,
  ],
  ['a path with the prefix of the servers', [NO_DELETE], [remove('/v1/toys/1')], USED],
  ['a path without it', [NO_DELETE], [remove('/toys/1')], USED],
  ['another prefix', [OTHER_SERVER, SHORTER], [store({ name: 'a short' })], UNUSED],
  [
    'another prefix, of a path without it',
    [OTHER_SERVER, SHORTER],
    [store({ name: 'a short' }, { path: '/toys' })],
    UNUSED,
  ],
  ['a refused request of the operation', [NO_DELETE], [remove('/v1/toys/seven')], USED],
  ['a request refused elsewhere', [SHORTER], [store({ name: 'a long name', size: 'big' })], USED],
  ['a request that both refuse', [SHORTER], [store({ name: 7, tag: 'a' })], UNUSED],
  ['counts of requests', [NO_DELETE], [usage()], 'may break web (3 requests, last 2026-02-20)'],
  [
    'a removed property that is still accepted',
    [NO_TAG],
    [store({ name: 'a' }), store({ name: 'b', tag: 'c' }, mobile)],
    'may break mobile (1 request, last 2025-11-01)',
  ],
  [
    'a removed property that is refused',
    [CLOSED_NO_TAG],
    [store({ name: 'a' }), store({ name: 'b', tag: 'c' }, mobile)],
    'breaks mobile (1 request, last 2025-11-01)',
  ],
  ['no removed property that is accepted', [NO_TAG], [store({ name: 'a' })], UNUSED],
  ['no removed property that is refused', [CLOSED_NO_TAG], [store({ name: 'a' })], UNUSED],
  [
    'counts of a removed property',
    [NO_TAG],
    [storeUsage('tag')],
    'may break web (3 requests, last 2026-02-20)',
  ],
  [
    'counts of another property',
    [NO_TAG],
    [storeUsage('size')],
    'no recorded request in 51 days uses it',
  ],
];

describe('a recording', () => {
  it.each(EVIDENCE)('with %s', async (_, edits, records, text, days = 1) => {
    minimumDays(days);
    const { status, said } = await gated(edits, records);
    expect(said[0]).toBe(text);
    // A removed property that is still accepted is risky.
    const isBreaking = !text.startsWith('no recorded request') && !edits.includes(NO_TAG);
    // Another server is a change of its own, which no recording shows.
    expect(status).toBe(isBreaking || edits.includes(OTHER_SERVER) ? 1 : 0);
    if (edits.includes(OTHER_SERVER)) expect(said.join()).not.toContain('break');
  });

  it('names the callers of each of two removed properties', async () => {
    const batch = store({ name: 'a', size: 1 }, { caller: 'batch' });
    const { said } = await gated([CLOSED_NO_TAG, NO_SIZE], [batch, store({ name: 'b', tag: 'c' })]);
    expect(said.slice(0, 2)).toEqual([USED, USED.replace('web', 'batch')]);
  });
});

/** Of a message, of a list with a query, and of a toy whose name is a number. */
function pactOf(path: string, limit: string): string {
  const body = { content: { name: 7 }, contentType: 'application/json', encoded: false };
  const get = { method: 'get', path, query: { limit: [limit] } };
  const exchanges = [
    { request: get, response: { status: 200 } },
    { request: { method: 'POST', path, body }, response: { status: 201 } },
  ];
  return JSON.stringify({
    ...{ consumer: { name: 'web' }, provider: { name: 'toys' } },
    interactions: [
      { type: 'Asynchronous/Messages', description: 'sold' },
      ...exchanges.map((exchange) => ({ type: 'Synchronous/HTTP', ...exchange })),
    ],
    metadata: { pactSpecification: { version: '4.0' } },
  });
}

describe('a Pact file', () => {
  const check = (text: string) => {
    project.write('web.json', text);
    return project.run('check', 'old.yaml', '--traffic', 'web.json');
  };

  it('names its consumer, and does not show that nobody uses a part', async () => {
    project.write('web.json', `\ufeff${pactOf('/toys', '90')}`);
    minimumDays(1);
    const compared = (edit: Edit) => {
      project.write('new.yaml', CONTRACT.replace(...edit));
      const args = ['old.yaml', 'new.yaml', '--traffic', 'web.json', '--fail-on', 'used'];
      return project.run('diff', ...args);
    };
    const { out, err } = await compared(MAX_LIMIT);
    expect(err).toContain('2 recorded requests in 0 days, 0 not of the first contract');
    expect(out).toContain('breaks web (1 request, last ');
    const removed = await compared(NO_DELETE);
    expect([removed.status, removed.out]).toEqual([1, expect.stringContaining(NOBODY)]);
  });

  it('is checked: requests, and the parts of responses that it has', async () => {
    const { out } = await check(pactOf('/v1/toys', '900'));
    expect(out).toContain('GET /toys  query parameter limit expected to be <= 100: 1 time, web, ');
    expect(out).toContain('POST /toys  request body /name expected string: 1 time, web, ');
  });

  it.each([
    [
      '{"consumer": {}, "interactions": [{"request": {"method": "GET"}}]}',
      'interactions[0].request: expected method and path',
    ],
    [
      '{"consumer": {}, "interactions": [',
      'got a part of a file or invalid JSON, expected a Pact file',
    ],
  ])('is rejected: %s', async (text, message) => {
    expect((await check(text)).err).toBe(`stubwright: web.json: ${message}\n`);
  });

  it.each<[object, string[]]>([
    [{}, []],
    [{ body: { id: 1 } }, []],
    [
      { headers: { 'X-Count': 'a' }, body: { id: 'a' } },
      ['response 200 header X-Count expected integer', 'response 200 /id expected integer'],
    ],
    [{ status: 201 }, ['response 201 status is not declared']],
  ])('lacks no part that its response leaves out: %j', async (response, expected) => {
    const contract = `
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
          content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}
`;
    project.write('old.yaml', contract);
    const request = { method: 'GET', path: '/toys' };
    const interactions = [{ request, response: { status: 200, ...response } }];
    const { out } = await check(JSON.stringify({ consumer: { name: 'web' }, interactions }));
    const lines = out.split('\n').filter((line) => line.includes('1 time'));
    expect(lines).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});

describe('stubwright check --traffic', () => {
  const check = async (entries: readonly object[], ...args: string[]) => {
    project.write('traffic.jsonl', jsonLines(entries));
    const traffic = ['--traffic', 'traffic.jsonl', '--caller', 'X-App'];
    return (await project.run('check', 'old.yaml', ...traffic, ...args)).out;
  };

  it('compares recorded responses', async () => {
    const respond = (status: number, text: string, encoding?: string) => {
      const content = text && { mimeType: 'application/json', text, ...(encoding && { encoding }) };
      const response = { status, headers: [], content: content || {} };
      return harEntry({ day: 1, path: '/v1/toys', response });
    };
    const out = await check([
      ...[respond(200, '[{"name":"a"}]'), respond(200, '[{"name":"a"},{"name":7}]')],
      respond(200, Buffer.from('[{"tag":8}]').toString('base64'), 'base64'),
      ...[respond(500, ''), respond(0, '')],
    ]);
    expect(out).toContain(`
GET /toys  response 200 /*/name expected string: 1 time, web, 2025-11-01
GET /toys  response 200 /*/tag expected string: 1 time, web, 2025-11-01
GET /toys  response 500 status is not declared: 1 time, web, 2025-11-01
`);
  });

  it('writes everything as JSON', async () => {
    const out = await check([list('web', 22, '?limit=500')], '--format', 'json');
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

describe('a version that stays served', () => {
  const SERVED = `served:
  header: Api-Version
  versions: [{version: '0.9.0', contract: older.yaml}, {version: '0.8.0', contract: older.yaml}]
`;
  const older = (recorded: object) => ({ ...recorded, _contract: '0.9.0' });
  const counts = {
    ...usage({ operation: 'GET /toys', contract: '0.9.0', requests: 4, valid: 4 }),
    ...{ responses: { 200: 4 }, first: '2025-11-02T10:00:00Z', last: '2025-11-24T10:00:00Z' },
  };
  const RECORDED = [
    older(list('batch', 3, '?limit=500')),
    counts,
    older(store({}, { caller: 'mobile', day: 20 })),
    older(list('mobile', 21, '?limit=5000')),
    { ...list('new', 5, '?limit=10'), _contract: '1.0.0' },
    list('unknown', 6, '?limit=500'),
  ];
  beforeEach(() => {
    project.write('compatibility.yaml', SERVED);
    const text = CONTRACT.replace('version: 1.0.0', 'version: 0.9.0');
    project.write('older.yaml', text.replace('maximum: 100', 'maximum: 1000'));
    project.write('traffic.jsonl', jsonLines(RECORDED));
  });
  const check = async (...args: string[]) =>
    (await project.run('check', 'old.yaml', '--traffic', 'traffic.jsonl', ...args)).out;

  it('has its callers by operation, and violations of its contract', async () => {
    expect(await check('--caller', 'X-App')).toContain(`
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

  it('has its callers in JSON', async () => {
    project.write('traffic.jsonl', jsonLines([counts]));
    const callers = [{ caller: 'web', count: 4, last: '2025-11-24T10:00:00.000Z' }];
    expect(JSON.parse(await check('--format', 'json')).traffic.versions).toEqual([
      { version: '0.9.0', requests: 4, operations: [{ operation: 'GET /toys', callers }] },
      { version: '0.8.0', requests: 0, operations: [] },
    ]);
  });

  it('does not have the requests of the checked contract', async () => {
    project.write('compatibility.yaml', SERVED.replace('0.9.0', '1.0.0'));
    project.write('traffic.jsonl', jsonLines(RECORDED.slice(4)));
    const out = await check();
    expect(out).toContain('0.8.0: no recorded request\n');
    expect(out).not.toContain('called by');
  });

  it('leaves its requests out of a comparison with another contract', async () => {
    const { err, out } = await diff([MAX_LIMIT], RECORDED);
    expect(err).toContain('2 recorded requests in 2 days, 0 not of the first contract\n');
    expect(out).not.toContain('web');
  });
});
