import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseAnswer, readAll } from './support/http.ts';
import { startTestService, type TestService, TOKEN } from './support/service.ts';

const HEAD = `POST /plants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
const GOOD = `${HEAD}Content-Length: 19\r\n\r\n{"id":1,"name":"x"}`;
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ BODY_LIMIT: '100000' });
});
afterAll(() => service.remove());

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
}

describe('an answer that is owed', () => {
  it.each<[string, number[], string]>([
    ['garbage', [200, 400], 'garbage\r\n\r\n'],
    ['an unknown Expect', [200, 417], `${HEAD}Expect: a-miracle\r\nContent-Length: 0\r\n\r\n`],
    ['CONNECT', [200, 400], 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bad chunks', [200, 400], `${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
    ['headers too large', [200, 431], `GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
  ])('is sent before what follows it is refused: %s', async (_, statuses, bytes) => {
    expect(statusesOf(await readAll(openConnection(service.url, GOOD + bytes)))).toEqual(statuses);
  });
});

describe('a refused connection', () => {
  it('may go on sending for a while without being reset', async () => {
    const { port } = new URL(service.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const text = readAll(socket);
    for (let chunk = 0; chunk < 10; chunk++) {
      socket.write(`GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.end();
    expect(statusesOf(await text)).toEqual([431]);
    expect(errors).toEqual([]);
  });
});

describe('an unknown Expect', () => {
  it('gets no body where the method is HEAD', async () => {
    const bytes = 'HEAD /plants HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n';
    const answer = parseAnswer(await readAll(openConnection(service.url, bytes)));
    expect([answer.status, answer.body]).toEqual([417, '']);
  });
});
