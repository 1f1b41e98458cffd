import { hash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseAnswer } from '@stubwright/test-support/http';
import {
  authorized,
  call,
  exchangeBytes,
  json,
  spawnService,
  startTestService,
  type TestService,
  TOKEN,
} from '@stubwright/test-support/service';
import type { ServiceProcess } from '@stubwright/test-support/serviceProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { configuredTokens, warnOfTokens } from '../src/authentication.ts';
import { readSettings } from '../src/index.ts';
import { collectedLog } from './support/logLines.ts';

let service: TestService;
const body = '{"id":1,"name":"x"}';

beforeAll(async () => {
  service = await startTestService({
    API_TOKENS: `${TOKEN}, other ,sha256:${hash('sha256', 'hashed')}`,
  });
});
afterAll(() => service.remove());

describe('a request with a good token', () => {
  it.each([
    ['as RFC 6750 writes it', `Bearer ${TOKEN}`],
    ['in lower case', `bearer ${TOKEN}`],
    ['in upper case', `BEARER ${TOKEN}`],
    ['the second of the list', 'Bearer other'],
    ['configured by its digest', 'Bearer hashed'],
  ])('is served: %s', async (_, authorization) => {
    const answer = await call(service.url, {
      headers: { Authorization: authorization, ...json },
      body,
    });
    expect(answer.status).toBe(200);
  });
});

describe('a request without a good token', () => {
  it.each([
    ['no token', {}, '/toys'],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }, '/toys'],
    ['the token in the query', {}, `/toys?access_token=${encodeURIComponent(TOKEN)}`],
    ['the token as a cookie', { Cookie: `access_token=${TOKEN}` }, '/toys'],
  ])('gets 401 and a challenge without error: %s', async (_, headers, path) => {
    const answer = await call(service.url, { path, headers: { ...headers, ...json }, body });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="toys"');
    expect(JSON.parse(answer.body).error).toBe(40100);
  });

  it('gets 401 for a token in a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await call(service.url, { headers, body: `access_token=${TOKEN}` });
    expect(answer.status).toBe(401);
  });

  it.each([
    ['a wrong token', 'Bearer wrong'],
    ['a token cut short', `Bearer ${TOKEN.slice(0, -1)}`],
    ['a token and more', `Bearer ${TOKEN} more`],
    ['the scheme alone', 'Bearer'],
    ['the digest itself', `Bearer sha256:${hash('sha256', 'hashed')}`],
  ])('gets 401 invalid_token: %s', async (_, authorization) => {
    const answer = await call(service.url, {
      headers: { Authorization: authorization, ...json },
      body,
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="toys", error="invalid_token"');
    expect(JSON.parse(answer.body).error).toBe(40101);
  });

  it('gets 400 for two Authorization headers, though both be good', async () => {
    const answer = await exchangeBytes(
      service.url,
      `POST /toys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKEN}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer.status).toBe(400);
  });

  it('is answered before a byte of its body has arrived', async () => {
    const socket = openConnection(
      service.url,
      'POST /toys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
    );
    const text = await new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(String(chunk))),
    );
    socket.destroy();
    expect(parseAnswer(text).status).toBe(401);
  });

  it('gets no 100 Continue', async () => {
    const answer = await exchangeBytes(
      service.url,
      'POST /toys HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n',
    );
    expect(answer.status).toBe(401);
  });

  it('learns nothing of the body: malformed JSON, a wrong media type and a large body are 401 too', async () => {
    const bodies = ['{', 'x'.repeat(2_000_000)];
    for (const each of bodies) {
      const answer = await call(service.url, {
        headers: { 'Content-Type': 'text/plain' },
        body: each,
      });
      expect(answer.status).toBe(401);
    }
  });
});

describe('a token', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('never shows in the log or in an answer', async () => {
    const { child, url, output, exited } = spawnService({
      API_TOKENS: TOKEN,
      LOG_LEVEL: 'trace',
    });
    const at = await url;
    await call(at, { headers: { ...authorized, ...json }, body });
    await call(at, { headers: { Authorization: `Bearer x${TOKEN}`, ...json }, body });
    await call(at, {
      path: `/toys?token=${TOKEN}`,
      headers: { ...authorized, ...json },
      body,
    }).catch(() => {});
    child.kill('SIGTERM');
    await exited;
    expect(output()).toContain('"status":401');
    expect(output()).not.toContain(TOKEN);
  });

  /** A service with the tokens of a file, which is read again when its text is replaced. */
  async function withTokenFile(text: string) {
    const file = `${folder.path}/tokens`;
    writeFileSync(file, text);
    const started = spawnService({ API_TOKENS_FILE: file });
    const url = await started.url;
    return {
      file,
      statusWith: (token: string) => statusAt(url, token),
      async reread(replacement: string, message: string) {
        writeFileSync(file, replacement);
        started.child.kill('SIGHUP');
        while (!started.output().includes(message)) await sleep(10);
      },
      stop: () => ended(started),
    };
  }

  async function statusAt(url: string, token: string): Promise<number> {
    const headers = { Authorization: `Bearer ${token}`, ...json };
    return (await call(url, { headers, body })).status;
  }

  async function ended({ child, exited }: ServiceProcess): Promise<void> {
    child.kill('SIGTERM');
    await exited;
  }

  it('of API_TOKENS_FILE is taken up on SIGHUP, and a bad file changes nothing', async () => {
    const { statusWith, reread, stop } = await withTokenFile('first\n');
    expect([await statusWith('first'), await statusWith('second')]).toEqual([200, 401]);
    await reread(`second\nsha256:${hash('sha256', 'third')}\n`, 'tokens read again');
    expect([
      await statusWith('first'),
      await statusWith('second'),
      await statusWith('third'),
    ]).toEqual([401, 200, 200]);
    await reread('no token at all\n', 'tokens not read again');
    expect(await statusWith('second')).toBe(200);
    await stop();
  });

  it('of API_TOKENS_FILE are all revoked by (none), without and after a restart', async () => {
    const { file, statusWith, reread, stop } = await withTokenFile('first\nsecond\n');
    await reread('', 'tokens not read again');
    expect(await statusWith('first')).toBe(200);
    await reread('(none)\n', 'all are revoked');
    expect([await statusWith('first'), await statusWith('second')]).toEqual([401, 401]);
    await stop();
    const after = spawnService({ API_TOKENS_FILE: file, HOST: '0.0.0.0' });
    const local = (await after.url).replace('0.0.0.0', '127.0.0.1');
    expect([await statusAt(local, 'first'), await statusAt(local, '(none)')]).toEqual([401, 401]);
    expect(after.output()).not.toContain('curl');
    await ended(after);
  });

  it('of API_TOKENS stay when (none) revokes those of the file', async () => {
    const file = `${folder.path}/tokens`;
    writeFileSync(file, '(none)');
    const config = readSettings({ API_TOKENS: 'kept', API_TOKENS_FILE: file });
    expect(configuredTokens(config)).toEqual(['kept']);
    writeFileSync(file, '(none)\nsecond\n');
    expect(() => configuredTokens(config)).toThrow(/^API_TOKENS_FILE: got a bad token 1 in /);
  });

  it.each([
    [0o644, true],
    [0o602, true],
    [0o640, false],
    [0o600, false],
  ])('in a file with mode %o is warned of: %s', (mode, isWarned) => {
    const file = `${folder.path}/tokens-${mode}`;
    writeFileSync(file, 'first\n');
    chmodSync(file, mode);
    const { log, lines } = collectedLog();
    warnOfTokens(readSettings({ API_TOKENS_FILE: file }), [TOKEN], log);
    const [shown, msg] = [
      mode.toString(8).padStart(4, '0'),
      'API_TOKENS_FILE is open to other users',
    ];
    expect(lines).toMatchObject(isWarned ? [{ file, mode: shown, msg }] : []);
  });
});
