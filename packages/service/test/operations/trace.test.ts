import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAt, spawnService, TOKEN } from '@stubwright/test-support/service';
import type { ServiceProcess } from '@stubwright/test-support/serviceProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { linesOf } from '../support/logLines.ts';

const SDK = pathToFileURL('packages/test-support/tracingSdk.ts').href;
const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

interface ToldSpan {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly status: { readonly code: number };
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
}

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  service.child.kill('SIGKILL');
  await service.exited;
  folder.remove();
});

function start(env: Record<string, string> = {}): ServiceProcess {
  service = spawnService({
    API_TOKENS: TOKEN,
    ...env,
  });
  return service;
}

function startTraced(): ServiceProcess {
  return start({ NODE_OPTIONS: `--import=${SDK}`, SPANS_FILE: `${folder.path}/spans` });
}

/** Ends the service; @returns its spans and the log lines of its requests. */
async function stop() {
  service.child.kill('SIGTERM');
  await service.exited;
  const lines = linesOf(service.output());
  return { requests: lines.filter(({ msg }) => msg === 'request'), spans: spans() };
}

function spans(): ToldSpan[] {
  return linesOf(readFileSync(`${folder.path}/spans`, 'utf8')) as ToldSpan[];
}

describe('with an OpenTelemetry SDK loaded', () => {
  it("a request continues its caller's trace, and contains the spans of validation and handler", async () => {
    const { url } = startTraced();
    const headers = { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` };
    expect((await createAt(await url, { id: 1, name: 'x' }, { headers })).status).toBe(200);
    const stopped = await stop();
    const byName = Object.fromEntries(stopped.spans.map((span) => [span.name, span]));
    expect(Object.keys(byName).sort()).toEqual(['POST /toys', 'put', 'validate']);
    const request = byName['POST /toys']!;
    expect(request.parentId).toBe(CALLER.span);
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/toys',
      'http.response.status_code': 200,
    });
    expect(byName['validate']!.parentId).toBe(request.spanId);
    expect(byName['put']!.parentId).toBe(request.spanId);
    expect(byName['put']!.attributes).toEqual({ 'toy.outcome': 'stored' });
    expect(new Set(stopped.spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.trace]));
    expect(stopped.requests.map(({ traceId }) => traceId)).toEqual([CALLER.trace]);
  });

  it('requests at the same time keep their spans apart, each with a trace of its own', async () => {
    const { url } = startTraced();
    const at = await url;
    await Promise.all(Array.from({ length: 20 }, (_, id) => createAt(at, { id, name: 'x' })));
    const stopped = await stop();
    expect(stopped.spans).toHaveLength(60);
    const requests = stopped.spans.filter(({ name }) => name === 'POST /toys');
    for (const { spanId, traceId } of requests) {
      const own = stopped.spans.filter(({ parentId }) => parentId === spanId);
      expect(own.map(({ name }) => name).sort()).toEqual(['put', 'validate']);
      expect(own.every((span) => span.traceId === traceId)).toBe(true);
    }
    expect(new Set(stopped.requests.map(({ traceId }) => traceId)).size).toBe(20);
  });

  it('a rejected request has no span of its handler', async () => {
    const { url } = startTraced();
    expect((await createAt(await url, '{}')).status).toBe(400);
    const stopped = await stop();
    expect(stopped.spans.map(({ name }) => name)).toEqual(['validate', 'POST /toys']);
    expect(stopped.spans[1]!.attributes['http.response.status_code']).toBe(400);
  });
});

describe('without an SDK', () => {
  it('log lines contain no trace', async () => {
    const { url } = start();
    const headers = { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` };
    expect((await createAt(await url, { id: 1, name: 'x' }, { headers })).status).toBe(200);
    service.child.kill('SIGTERM');
    await service.exited;
    expect(service.output()).toContain('"msg":"request"');
    expect(service.output()).not.toContain('traceId');
  });
});
