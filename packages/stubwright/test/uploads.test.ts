// Uploads that a reply streams, uploads that end early, and headers that HTTP cannot carry.
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { uploadFolders } from '@stubwright/test-support/uploads';
import { bodyLimits, NodeBody } from '../src/internals.ts';

const FILE = '{type: string, format: binary}';
const FORM = `{type: object, properties: {file: ${FILE}, files: {type: array, items: ${FILE}}}}`;
const LOCATION = '{Location: {schema: {type: string}}}';
let toy: Toy;
let location = '';

beforeAll(async () => {
  toy = await serveToy(
    '3.0.3',
    `
paths:
  /echo:
    post:
      operationId: echo
      requestBody: {content: {multipart/form-data: {schema: ${FORM}}}}
      responses: {'200': {description: ok, content: {application/octet-stream: {schema: {type: string, format: binary}}}}}
  /location:
    get: {operationId: location, responses: {'204': {description: ok, headers: ${LOCATION}}}}
`,
    {
      bodyLimitBytes: 1_000_000,
      handlers: {
        echo: ({ body }) => ({ status: 200, body: body.file.stream() }),
        location: () => ({ status: 204, headers: { Location: location } }),
      },
    },
  );
});
afterAll(() => toy.close());

async function untilGone(before: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (uploadFolders().every((name) => before.includes(name))) return;
    await sleep(10);
  }
  throw new Error('a temporary folder is left');
}

describe('an uploaded file', () => {
  it('is there until the reply that streams it is sent', async () => {
    const before = uploadFolders();
    const text = 'fern '.repeat(60_000);
    const form = new FormData();
    form.append('file', new File([text], 'fern.txt'));
    const answer = await toy.fetch('/echo', { method: 'POST', body: form });
    expect([answer.status, answer.text === text]).toEqual([200, true]);
    await untilGone(before);
  });

  it('has the place of its part in an array', async () => {
    const form = new FormData();
    const names = Array.from({ length: 100 }, (_, at) => `file ${at}`);
    for (const name of names) form.append('files', new File(['x'.repeat(500)], name));
    await toy.fetch('/echo', { method: 'POST', body: form });
    const { files } = toy.got[0]!['body'] as { files: File[] };
    expect(files.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['filename=".."', 'file'],
    ['filename="."', 'file'],
    ['filename=""', 'file'],
    ['filename="a/"', 'file'],
    ['filename="/etc/passwd"', 'passwd'],
    ['filename="a\\..\\.."', 'file'],
    ['filename=".\0."', 'file'],
    ['filename="a\0b"', 'ab'],
    [`filename="photo\u202egpj.exe"`, 'photogpj.exe'],
    ["filename*=UTF-8''%2e%2e%2f..", 'file'],
    ["filename*=UTF-8''a%E2%80%AEb%00", 'ab'],
    [`filename="r\u00e9sum\u00e9 (1).pdf"`, 'r\u00e9sum\u00e9 (1).pdf'],
  ])('has a safe name: %j is %s', async (parameter, name) => {
    const body = [
      '--b',
      `Content-Disposition: form-data; name="file"; ${parameter}`,
      'Content-Type: application/octet-stream',
      '',
      'x',
      '--b--',
      '',
    ].join('\r\n');
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const { status } = await toy.fetch('/echo', { method: 'POST', headers, body });
    expect(status).toBe(200);
    expect((toy.got[0]!['body'] as { file: File }).file.name).toBe(name);
  });

  it('that ends early leaves no temporary file and calls no handler', async () => {
    const before = uploadFolders();
    const calls = toy.got.length;
    const { hostname, port } = new URL(toy.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        'POST /echo HTTP/1.1',
        'Host: a',
        'Content-Length: 500000',
        'Content-Type: multipart/form-data; boundary=b',
        '',
        '--b',
        'Content-Disposition: form-data; name="file"; filename="f"',
        '',
        'first bytes '.repeat(30_000),
      ].join('\r\n'),
    );
    while (uploadFolders().every((name) => before.includes(name))) await sleep(5);
    socket.destroy();
    await untilGone(before);
    expect(toy.got.length).toBe(calls);
  });
});

describe('a body that ends early', () => {
  it('is an error of the client', async () => {
    const req = Object.assign(new PassThrough(), { headers: {} });
    const limits = bodyLimits(1_000, 1_000);
    const stream = new NodeBody(req as never, {} as ServerResponse, limits).stream();
    const failure = new Promise((resolve) => stream.once('error', resolve));
    req.write('first bytes');
    req.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    expect(await failure).toMatchObject({ number: 40003, status: 400 });
  });
});

describe('a header', () => {
  it.each([
    ['/toys/f\u00e9', 204],
    ['/植物', 500],
    ['/a\r\nSet-Cookie: b', 500],
    ['/\0', 500],
  ])('of the value %j is %i', async (value, status) => {
    location = value;
    const answer = await toy.fetch('/location');
    expect(answer.status).toBe(status);
    if (status !== 500) return;
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(answer.text)).toEqual({
      error: 50000,
      message: expect.stringMatching(/returned 204: header Location expected characters/),
    });
  });
});
