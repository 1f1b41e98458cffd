// Unknown paths: a page for browsers, the error of the contract for all other clients.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '@stubwright/test-support/service';

let service: TestService;
let other: TestService | undefined;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  await other?.remove();
  other = undefined;
});
afterAll(() => service.remove());

const BROWSERS = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html',
  'TEXT/HTML; charset=utf-8; q=0.7',
  'text/html, */*',
];
const CLIENTS = [
  undefined,
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'application/json, text/html;q=0.9',
  'application/*, text/html;q=0.9',
  'text/html;q=0.5, */*;q=0.8',
  'text/html;q=0, application/json',
  'text/*',
  'application/problem+json',
  'x'.repeat(8_000),
  'text/html;q=a',
  ',;,=,q=1',
];

describe('an unknown path', () => {
  it.each(BROWSERS)('is a page that links /docs for Accept: %s', async (accept) => {
    const url = `${service.url}/unknown/%3Cscript%3E?token=secret`;
    const response = await fetch(url, { headers: { accept } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const body = await response.text();
    expect(body).toContain('<a href="/docs">');
    expect(body).not.toMatch(/unknown|script|secret/);
    expect((await fetch(`${service.url}/docs`)).status).toBe(200);
  });

  it.each(CLIENTS)('is the error of the contract for Accept: %s', async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await fetch(`${service.url}/unknown`, { headers });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('vary')).toBe('Accept');
    expect(await response.json()).toEqual({ error: 40400, message: 'no such path' });
  });

  it('has no page for other methods, for known paths, and with DOCS=off', async () => {
    const headers = { accept: 'text/html' };
    const types = [
      await fetch(`${service.url}/unknown`, { method: 'POST', headers }),
      await fetch(`${service.url}/unknown`, { method: 'DELETE', headers }),
      await fetch(`${service.url}/toys`, { headers }),
      await fetch(`${service.url}/toys/1`, { headers }),
    ];
    other = await startTestService({ DOCS: 'off' });
    types.push(await fetch(`${other.url}/unknown`, { headers }));
    for (const response of types) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-type')).toBe('application/json');
    }
  });

  it('answers HEAD with the headers of GET', async () => {
    const headers = { accept: 'text/html' };
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(`${service.url}/unknown`, { method, headers })),
    );
    // The client closes the connection of a HEAD.
    const ofConnection = ['connection', 'date', 'keep-alive'];
    const of = (response: Response) =>
      [...response.headers].filter(([name]) => !ofConnection.includes(name));
    expect(of(head!)).toEqual(of(get!));
    expect(await head!.text()).toBe('');
  });

  it('links the page below the path of BASE_URL', async () => {
    other = await startTestService({ BASE_URL: 'https://toys.example/api/v1' });
    const headers = { accept: 'text/html' };
    const below = await fetch(new URL('/api/v1/unknown', other.url), { headers });
    expect(await below.text()).toContain('<a href="/api/v1/docs">');
    const outside = await fetch(new URL('/unknown', other.url), { headers });
    expect(await outside.text()).toContain('<a href="/docs">');
  });
});
