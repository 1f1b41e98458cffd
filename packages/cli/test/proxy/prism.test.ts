// The cases of Prism's test harness on `prism proxy`, and the responses of `stubwright proxy`.
// Source: test-harness/specs/proxy of https://github.com/stoplightio/prism, as OpenAPI 3.0 and shortened.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { loadToy } from '@stubwright/test-support/contractFiles';
import { parse } from 'yaml';
import { startProxied, startUpstream } from '../support/proxied.ts';

interface ProxyCase {
  /** The file in test-harness/specs/proxy, without `proxy` and its extension. */
  readonly harness: string;
  /** The paths, and other properties, of the contract. */
  readonly contract: string;
  readonly url: string;
  readonly init?: RequestInit;
  readonly areErrorsSent?: boolean;
  /** Undefined for a service that cannot be reached. */
  readonly service?: { readonly status: number; readonly type?: string; readonly body?: string };
  readonly prism: number;
  /** Where the statuses differ. */
  readonly stubwright?: number;
  /** The reported violations: a part of each line. */
  readonly lines: readonly string[];
}

const NO_CONTENT = "get: {responses: {'204': {description: No Content}}}";
const PATH = `paths: {/path: {${NO_CONTENT}}}`;
const auth = (type: string) =>
  `paths: {/status/201: {get: {parameters: [{name: X-Company-Auth, in: header, required: true, schema: {type: string}}], responses: {'201': {description: OK, content: {${type}: {}}}}}}}`;
const created = { status: 201, type: 'text/plain', body: '' };
const SLIDESHOW = '{"slideshow":{"title":"Sample Slide Show"}}';
const slideshow = { status: 200, type: 'application/json', body: SLIDESHOW };
const titled = (required: readonly string[]) =>
  `paths: {/json: {get: {responses: {'200': {description: OK, content: {application/json: {schema: {type: object, required: [${required}], properties: {title: {type: string}}}}}}}}}}`;
const MANY = Array.from({ length: 30 }, (_, at) => `${'a_really_'.repeat(15)}long_name${at}`);
const JSON_TYPE = { 'Content-Type': 'application/json' };

const CASES: readonly ProxyCase[] = [
  {
    harness: 'AC-1',
    contract: `servers: [{url: 'http://localhost'}]\n${PATH}`,
    url: '/path',
    prism: 500,
    stubwright: 502,
    lines: ['cannot be reached (ECONNREFUSED)'],
  },
  {
    harness: 'AC-2',
    contract: PATH,
    url: '/path',
    service: { status: 204 },
    prism: 404,
    stubwright: 204,
    lines: [],
  },
  {
    harness: 'AC-3',
    contract: `servers: [{url: 'http://www.abc.com'}]\n${PATH}`,
    url: '/path',
    service: { status: 204 },
    prism: 404,
    stubwright: 204,
    lines: [],
  },
  {
    harness: 'AC-4',
    contract: PATH,
    url: '/non-existent-path',
    service: { status: 200, type: 'text/plain', body: 'ok' },
    prism: 404,
    stubwright: 200,
    lines: ['request: path is not in the contract'],
  },
  {
    harness: '501.remock',
    contract: "paths: {/status/501: {get: {responses: {'201': {description: OK}}}}}",
    url: '/status/501',
    service: { status: 501 },
    prism: 201,
    stubwright: 501,
    lines: ['response: status is not declared'],
  },
  {
    harness: 'get-with-body',
    contract: `paths: {/status/204: {${NO_CONTENT}}}`,
    url: '/status/204',
    service: { status: 204 },
    prism: 501,
    stubwright: 204,
    lines: ['request: body'],
  },
  {
    harness: 'invalid-request',
    contract: auth('text/plain'),
    url: '/status/201',
    areErrorsSent: true,
    service: created,
    prism: 422,
    stubwright: 400,
    lines: ['request: header parameter X-Company-Auth is required'],
  },
  {
    harness: 'valid-request',
    contract: auth('text/plain'),
    url: '/status/201',
    init: { headers: { 'X-Company-Auth': '10' } },
    areErrorsSent: true,
    service: created,
    prism: 201,
    lines: [],
  },
  {
    harness: 'valid',
    contract: "paths: {/status/201: {get: {responses: {'201': {description: OK}}}}}",
    url: '/status/201',
    service: { status: 201 },
    prism: 201,
    lines: [],
  },
  {
    harness: 'passthrough-binary',
    contract:
      "paths: {/status/200: {post: {requestBody: {content: {application/octet-stream: {}}}, responses: {'200': {description: OK}}}}}",
    url: '/status/200',
    init: {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Buffer.from([0, 255, 128]),
    },
    service: { status: 200 },
    prism: 200,
    lines: [],
  },
  {
    harness: 'passthrough',
    contract:
      "paths: {/html: {get: {responses: {'200': {description: OK, content: {application/html: {}}}}}}}",
    url: '/html',
    service: { status: 200, type: 'text/html', body: '<!DOCTYPE html>' },
    prism: 200,
    lines: ['response: body expected Content-Type application/html, got text/html'],
  },
  {
    harness: 'post.invalid',
    contract: `paths: {/post: {post: {responses: {'200': {description: OK, content: {application/json: {schema: {type: object, properties: {json: {type: string, enum: ['{"id":"666"}']}}}}}}}}}}`,
    url: '/post',
    init: { method: 'POST', headers: JSON_TYPE, body: '{"id":"6666"}' },
    service: { status: 200, type: 'application/json', body: '{"json":"{}"}' },
    prism: 200,
    lines: ['request: body', 'response: body /json expected'],
  },
  {
    harness: 'validation.httpResponse',
    contract: titled(['title']),
    url: '/json',
    areErrorsSent: true,
    service: slideshow,
    prism: 422,
    stubwright: 502,
    lines: ['response: body /title is required'],
  },
  {
    harness: 'validation.noHttpHeader',
    contract: titled(['title']),
    url: '/json',
    service: slideshow,
    prism: 200,
    lines: ['response: body /title is required'],
  },
  {
    harness: 'validation.httpHeader-truncated',
    contract: titled(MANY),
    url: '/json',
    service: slideshow,
    prism: 200,
    lines: MANY.map((name) => `response: body /${name} is required`),
  },
];

/** @returns the response of the proxy, after the validation of the exchange */
async function proxy({ contract, url, init, areErrorsSent, service, harness }: ProxyCase) {
  const yaml = `openapi: 3.0.2\ninfo: {title: t, version: '1'}\n${contract}`;
  const { definition } = await loadToy({ 'a.json': JSON.stringify(parse(yaml)) });
  const upstream = await startUpstream((_, response) => {
    const { status, type, body } = service!;
    response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body);
  });
  if (service === undefined) await upstream.close();
  const options = { definition, refuses: areErrorsSent === true };
  const proxied = await startProxied(upstream.url, options);
  const target = new URL(url, proxied.url);
  const { status, body } =
    harness === 'get-with-body' ? await getWithBody(target) : await received(target, init);
  await proxied.close();
  return { status, body, lines: proxied.lines };
}

async function received(target: URL, init?: RequestInit) {
  const response = await fetch(target, init);
  return { status: response.status, body: await response.text() };
}

/** fetch sends no body with GET. */
async function getWithBody(target: URL) {
  const headers = { ...JSON_TYPE, 'Content-Length': 2, Connection: 'close' };
  const sent = request(target, { headers });
  sent.end('{}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await text(response) };
}

describe('stubwright proxy', () => {
  it.each(CASES)('responds to $harness of Prism', async (each) => {
    const { status, body, lines } = await proxy(each);
    expect(status).toBe(each.stubwright ?? each.prism);
    if (status === each.service?.status) expect(body).toBe(each.service.body ?? '');
    expect(lines).toEqual(each.lines.map((line) => expect.stringContaining(line)));
  });
});
