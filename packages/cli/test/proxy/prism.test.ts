// The cases of Prism's test harness on `prism proxy`, and the responses of `stubwright proxy`.
// Source: test-harness/specs/proxy of https://github.com/stoplightio/prism, as OpenAPI 3.0 and shortened.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { loadToy } from '@stubwright/test-support/contractFiles';
import { parse } from 'yaml';
import { testProxies } from '../support/proxied.ts';

const { startProxied, startUpstream } = testProxies();

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

interface ProxyCase {
  /** Undefined for a service that cannot be reached. */
  readonly service: Answer | undefined;
  /** Where the status differs from that of Prism. */
  readonly stubwright?: number;
  readonly url?: string;
  readonly init?: RequestInit;
  readonly areErrorsSent?: boolean;
}

/** A contract from its servers or paths on, or an operation of `/path`. */
const withOperation = (operation: string) => `paths: {/path: {${operation}}}`;
const responding = (content: string, parameters = '') =>
  withOperation(`get: {${parameters}responses: {'200': {description: OK${content}}}}`);
const AUTHORIZED = responding(
  ', content: {text/plain: {}}',
  'parameters: [{name: X-Company-Auth, in: header, required: true, schema: {type: string}}], ',
);
const NO_CONTENT = withOperation("get: {responses: {'204': {description: No Content}}}");
const onServer = (url: string) => `servers: [{url: '${url}'}]\n${NO_CONTENT}`;
const titled = (required: readonly string[]) =>
  responding(
    `, content: {application/json: {schema: {type: object, required: [${required}], properties: {title: {type: string}}}}}`,
  );
const BYTES = withOperation(
  "post: {requestBody: {content: {application/octet-stream: {}}}, responses: {'200': {description: OK}}}",
);
const LISTED = withOperation(
  `post: {responses: {'200': {description: OK, content: {application/json: {schema: {type: object, properties: {json: {type: string, enum: ['{"id":"666"}']}}}}}}}}`,
);
const MANY = Array.from({ length: 30 }, (_, at) => `${'a_really_'.repeat(15)}long_name${at}`);
const JSON_TYPE = { 'Content-Type': 'application/json' };
const json = (body: string) => ({ status: 200, type: 'application/json', body });
const slideshow = json('{"slideshow":{"title":"Sample Slide Show"}}');
const text = (body: string) => ({ status: 200, type: 'text/plain', body });
const post = (type: string, body: string | Buffer<ArrayBuffer>) => {
  return { method: 'POST', headers: { 'Content-Type': type }, body };
};
const html = { status: 200, type: 'text/html', body: '<!DOCTYPE html>' };

/** The file in test-harness/specs/proxy, the contract, the status of Prism, and a part of each reported line. */
type Row = readonly [
  harness: string,
  contract: string,
  given: ProxyCase,
  prism: number,
  lines: readonly string[],
];

// biome-ignore format: a table
const CASES: readonly Row[] = [
  ['AC-1', onServer('http://localhost'), { service: undefined, stubwright: 502 }, 500, ['cannot be reached (ECONNREFUSED)']],
  ['AC-2', NO_CONTENT, { service: { status: 204 }, stubwright: 204 }, 404, []],
  ['AC-3', onServer('http://www.abc.com'), { service: { status: 204 }, stubwright: 204 }, 404, []],
  ['AC-4', NO_CONTENT, { url: '/none', service: text('ok'), stubwright: 200 }, 404, ['request: path is not in the contract']],
  ['501.remock', responding(''), { service: { status: 501 }, stubwright: 501 }, 201, ['response: status is not declared']],
  ['get-with-body', NO_CONTENT, { service: { status: 204 }, stubwright: 204 }, 501, ['request: body']],
  ['invalid-request', AUTHORIZED, { areErrorsSent: true, service: text(''), stubwright: 400 }, 422, ['request: header parameter X-Company-Auth is required']],
  ['valid-request', AUTHORIZED, { areErrorsSent: true, service: text(''), init: { headers: { 'X-Company-Auth': '10' } } }, 200, []],
  ['valid', responding(''), { service: { status: 200 } }, 200, []],
  ['passthrough-binary', BYTES, { service: { status: 200 }, init: post('application/octet-stream', Buffer.from([0, 255, 128])) }, 200, []],
  ['passthrough', responding(', content: {application/html: {}}'), { service: html }, 200, ['response: body expected Content-Type application/html, got text/html']],
  ['post.invalid', LISTED, { service: json('{"json":"{}"}'), init: post('application/json', '{"id":"6666"}') }, 200, ['request: body', 'response: body /json expected']],
  ['validation.httpResponse', titled(['title']), { areErrorsSent: true, service: slideshow, stubwright: 502 }, 422, ['response: body /title is required']],
  ['validation.noHttpHeader', titled(['title']), { service: slideshow }, 200, ['response: body /title is required']],
  ['validation.httpHeader-truncated', titled(MANY), { service: slideshow }, 200, MANY.map((name) => `response: body /${name} is required`)],
];

/** @returns the response of the proxy, after the validation of the exchange */
async function proxy(harness: string, contract: string, given: ProxyCase) {
  const { service, areErrorsSent = false, url = '/path', init } = given;
  const yaml = `openapi: 3.0.2\ninfo: {title: t, version: '1'}\n${contract}`;
  const { definition } = await loadToy({ 'a.json': JSON.stringify(parse(yaml)) });
  const upstream = await startUpstream((_, response) => {
    const { status, type, body } = service!;
    response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body);
  });
  if (service === undefined) await upstream.close();
  const proxied = await startProxied(upstream.url, { definition, refuses: areErrorsSent });
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
  return { status: response.statusCode!, body: await textOf(response) };
}

describe('stubwright proxy', () => {
  it.each(CASES)('responds to %s of Prism', async (harness, contract, given, prism, expected) => {
    const { status, body, lines } = await proxy(harness, contract, given);
    expect(status).toBe(given.stubwright ?? prism);
    if (status === given.service?.status) expect(body).toBe(given.service.body ?? '');
    expect(lines).toEqual(expected.map((line) => expect.stringContaining(line)));
  });
});
