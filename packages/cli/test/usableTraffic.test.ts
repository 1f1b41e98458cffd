// Which recorded requests are evidence: those that the first contract has an operation for, and no others.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyProject, type ToyProject } from './support/toyProject.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
servers: [{url: 'https://api.toys.example/v1'}]
paths:
  /toys:
    post:
      operationId: storeToy
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties: {name: {type: string, maxLength: 40}, tag: {type: string}, size: {type: integer}}
      responses: {'201': {description: ok}}
  /toys/{id}:
    delete:
      operationId: deleteToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: ok}}
`;

type Edit = readonly [from: string, to: string];

const NO_DELETE: Edit = ['    delete:', '    patch:'];
const NO_TAG: Edit = [', tag: {type: string}', ''];
const CLOSED_NO_TAG: Edit = [
  'properties: {name: {type: string, maxLength: 40}, tag: {type: string}',
  'additionalProperties: false\n              properties: {name: {type: string, maxLength: 40}',
];
const SHORTER: Edit = ['maxLength: 40', 'maxLength: 10'];
const OTHER_SERVER: Edit = ['example/v1', 'example/v2'];

let project: ToyProject;
beforeEach(() => {
  project = createEmptyProject();
  project.write('old.yaml', CONTRACT);
});
afterEach(() => project.remove());

interface Sent {
  readonly caller?: string;
  readonly day?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

function entry({ caller = 'web', day = '2026-01-01', method = 'POST', path, body }: Sent): object {
  const postData = { mimeType: 'application/json', text: JSON.stringify(body) };
  return {
    ...{ startedDateTime: `${day}T10:00:00Z`, _caller: caller },
    request: {
      ...{ method, url: `https://api.toys.example${path}`, headers: [] },
      ...(body !== undefined && { postData }),
    },
  };
}

const store = (body: unknown, caller = 'web') => entry({ path: '/v1/toys', body, caller });
const usage = (more: object) => ({
  ...{ usage: 2, caller: 'web', operation: 'DELETE /toys/{id}', contract: '1.0.0' },
  ...{ requests: 3, valid: 0, first: '2026-01-01T00:00:00Z', last: '2026-02-20T00:00:00Z' },
  ...{ responses: { 400: 3 }, parts: [], ...more },
});

/** @returns the exit code with `--fail-on used`, and what is printed */
async function gated(edits: readonly Edit[], records: readonly object[], ...args: string[]) {
  let text = CONTRACT;
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  project.write('new.yaml', text);
  project.write('traffic.jsonl', records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const files = ['old.yaml', 'new.yaml', '--traffic', 'traffic.jsonl'];
  const { status, out, err } = await project.run('diff', ...files, '--fail-on', 'used', ...args);
  const said = out
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:breaks|may break|no |not |called)/.test(line));
  return { status, said, out, err };
}

const minimumDays = (days: number) =>
  project.write('compatibility.yaml', `traffic: {minimum-days: ${days}}`);

describe('a recording without a request of the first contract', () => {
  const elsewhere = ['2026-01-01', '2026-02-20'].map((day) =>
    entry({ method: 'DELETE', path: '/gateway/toys/v7/toys/1', day }),
  );

  it.each([30, 1, 0])('is no evidence, with minimum-days %i', async (days) => {
    minimumDays(days);
    const { status, said, err } = await gated([NO_DELETE], elsewhere);
    expect({ status, said }).toEqual({
      status: 1,
      said: ['no evidence: the recording has no dated request of the first contract'],
    });
    expect(err).toContain('2 recorded requests in 0 days, 2 not of the first contract');
  });

  it('is none as usage either', async () => {
    const records = [usage({ operation: 'DELETE /others/{id}', valid: 3 })];
    expect((await gated([NO_DELETE], records)).status).toBe(1);
  });

  it('is none if it is empty', async () => {
    minimumDays(0);
    expect((await gated([NO_DELETE], [])).status).toBe(1);
  });
});

describe('the days of a recording', () => {
  it('are those between requests of the first contract', async () => {
    const records = [
      entry({ path: '/elsewhere', day: '2026-01-01' }),
      entry({ path: '/v1/toys', body: { name: 'a' }, day: '2026-02-10' }),
      entry({ path: '/elsewhere', day: '2026-03-20' }),
    ];
    const { status, said } = await gated([NO_DELETE], records);
    expect({ status, said }).toEqual({
      status: 1,
      said: ['no evidence: the recording has 1 day of 30'],
    });
  });

  it.each([
    ['an entry', entry({ path: '/v1/toys', body: { name: 'a' }, day: '2999-01-01' })],
    ['a usage', usage({ valid: 3, last: '2999-01-01T10:00:00.000Z' })],
  ])('do not include the future: %s is refused', async (_, record) => {
    const { status, err } = await gated([NO_DELETE], [store({ name: 'a' }), record]);
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(
        'traffic.jsonl:2: got 2999-01-01T10:00:00.000Z, expected a time in the past',
      ),
    ]);
  });
});

describe('the path of a recorded request', () => {
  it.each(['/v1/toys/1', '/toys/1'])(
    'may have the prefix of the servers or not: %s',
    async (path) => {
      const { status, said } = await gated([NO_DELETE], [entry({ method: 'DELETE', path })]);
      expect({ status, said }).toEqual({
        status: 1,
        said: ['breaks web (1 request, last 2026-01-01)'],
      });
    },
  );

  it.each(['/v1/toys', '/toys'])(
    'is compared without the prefix, which may change: %s',
    async (path) => {
      minimumDays(1);
      const record = entry({ path, body: { name: 'a short' } });
      const { said } = await gated([OTHER_SERVER, SHORTER], [record]);
      expect(said).toContain('no recorded request in 1 day uses it');
      expect(said.join()).not.toContain('break');
    },
  );
});

describe('a request that the first contract refuses elsewhere', () => {
  it('proves that its operation is used', async () => {
    minimumDays(1);
    const record = entry({ method: 'DELETE', path: '/v1/toys/seven' });
    const { status, said } = await gated([NO_DELETE], [record]);
    expect({ status, said }).toEqual({
      status: 1,
      said: ['breaks web (1 request, last 2026-01-01)'],
    });
  });

  it('is broken by what the second one refuses in addition', async () => {
    minimumDays(1);
    const records = [store({ name: 'a long long name', size: 'big' })];
    expect((await gated([SHORTER], records)).said).toEqual([
      'breaks web (1 request, last 2026-01-01)',
    ]);
  });

  it('is not broken where both refuse it', async () => {
    minimumDays(1);
    const records = [store({ name: 7, tag: 'a' })];
    expect((await gated([SHORTER], records)).said).toEqual([
      'no recorded request in 1 day uses it',
    ]);
  });

  it('is counted as usage', async () => {
    expect((await gated([NO_DELETE], [usage({})])).said).toEqual([
      'may break web (3 requests, last 2026-02-20)',
    ]);
  });
});

describe('a removed property', () => {
  it.each([
    ['that the object still accepts', NO_TAG, 'may break mobile (1 request, last 2026-01-01)'],
    ['that it refuses', CLOSED_NO_TAG, 'breaks mobile (1 request, last 2026-01-01)'],
  ])('%s concerns the callers that sent it', async (_, edit, text) => {
    const records = [store({ name: 'a' }), store({ name: 'b', tag: 'c' }, 'mobile')];
    const { said } = await gated([edit], records);
    expect(said[0]).toBe(text);
  });

  it.each([NO_TAG, CLOSED_NO_TAG])('concerns nobody if no caller sent it', async (...edit) => {
    minimumDays(1);
    const { status, said } = await gated([edit as Edit], [store({ name: 'a' })]);
    expect([status, said[0]]).toEqual([0, 'no recorded request in 1 day uses it']);
  });

  it.each([
    ['concerns the callers of its shape', ['tag'], 'may break web (3 requests, last 2026-02-20)'],
    ['concerns no other caller', ['size'], 'no recorded request in 51 days uses it'],
  ])('%s', async (_, path, text) => {
    const part = { subject: 'request body', count: 3, first: '2026-01-01', last: '2026-02-20' };
    const body = { ...part, path: [], mediaType: 'application/json' };
    const parts = [body, { ...part, path: ['name'] }, { ...part, path }];
    const records = [usage({ operation: 'POST /toys', valid: 3, parts })];
    expect((await gated([NO_TAG], records)).said[0]).toBe(text);
  });

  it('beside another removed one concerns its own callers', async () => {
    const records = [
      store({ name: 'a', size: 1 }, 'batch'),
      store({ name: 'b', tag: 'c' }, 'mobile'),
    ];
    const both: Edit = [CLOSED_NO_TAG[0], CLOSED_NO_TAG[1]];
    const { said } = await gated([both, [', size: {type: integer}', '']], records);
    expect(said.slice(0, 2)).toEqual([
      'breaks mobile (1 request, last 2026-01-01)',
      'breaks batch (1 request, last 2026-01-01)',
    ]);
  });
});
