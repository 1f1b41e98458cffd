// A proxy in front of a service on real sockets, and raw bytes to send to it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import { loadToy } from '@stubwright/test-support/contractFiles';
import { type ProxyOptions, startProxy } from '../../src/proxy/proxy.ts';
import { Report } from '../../src/proxy/validation.ts';

/** Operations with JSON, a form, bytes and text. */
export const CONTRACT = `openapi: 3.0.3
info: { title: Items, version: '1' }
servers: [{ url: /v1 }]
paths:
  /items:
    post:
      operationId: addItem
      parameters: [{ name: X-Trace, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses: { 200: { $ref: '#/components/responses/Item' } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getItem, responses: { 200: { $ref: '#/components/responses/Item' } } }
    delete: { operationId: deleteItem, responses: { 204: { description: deleted } } }
  /toys:
    get:
      operationId: streamToys
      responses:
        200:
          description: ok
          content:
            text/event-stream: { x-item-schema: { type: object, properties: { data: { type: integer } } } }
            application/jsonl: { x-item-schema: { $ref: '#/components/schemas/Item' } }
    post:
      operationId: importToys
      requestBody:
        required: true
        content: { application/jsonl: { x-item-schema: { $ref: '#/components/schemas/Item' } } }
      responses: { 200: { $ref: '#/components/responses/Item' } }
  /uploads:
    post:
      operationId: upload
      requestBody:
        content:
          application/octet-stream: {}
          multipart/form-data: { schema: { type: object, properties: { id: { type: integer } } } }
      responses:
        200:
          description: ok
          content: { application/json: { schema: {} }, application/octet-stream: {}, text/event-stream: {} }
components:
  schemas:
    Item: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
  responses:
    Item: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
`;

/** A request as the service received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly trailers: readonly string[];
  readonly body: string;
  /** The port of the proxy on this connection. */
  readonly port: number;
}

export interface Upstream {
  readonly url: URL;
  readonly received: ReceivedRequest[];
  close(): Promise<void>;
}

export async function listen(server: Server): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const echo: RequestListener = (req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(`{"id":1,"name":${JSON.stringify(req.url)}}`);
};

export interface Proxied {
  readonly url: string;
  readonly report: Report;
  readonly lines: string[];
  close(): Promise<void>;
}

/** @returns functions that start services and proxies of a file of tests; they close after each test */
export function testProxies() {
  const started: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    // A proxy before its service.
    for (const { close } of started.splice(0).reverse()) await close();
  });

  /** A service that records requests with their bodies. @param answer by default the target as JSON */
  async function startUpstream(answer: RequestListener = echo): Promise<Upstream> {
    const received: ReceivedRequest[] = [];
    const server = createServer(async (req, res) => {
      const read = await buffer(req).catch(() => undefined);
      // The proxy ended the request.
      if (read === undefined) return;
      const body = read.toString('latin1');
      const { method = '', url = '', headers, rawHeaders, rawTrailers } = req;
      const port = req.socket.remotePort!;
      received.push({ method, url, headers, rawHeaders, trailers: rawTrailers, body, port });
      answer(req, res);
    });
    const url = await listen(server);
    const upstream = {
      url,
      received,
      async close() {
        if (!server.listening) return;
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      },
    };
    started.push(upstream);
    return upstream;
  }

  async function startProxied(target: URL, options: Partial<ProxyOptions> = {}): Promise<Proxied> {
    const { definition } = await loadToy({ 'a.yaml': CONTRACT });
    const lines: string[] = [];
    const report = new Report((line) => lines.push(line));
    const proxy = await startProxy({
      ...{ definition, target, report, host: '127.0.0.1', port: 0, refuses: false },
      bodyLimitBytes: 1024 * 1024,
      bodyMemoryBytes: 64 * 1024 * 1024,
      undeclaredProperties: 'allow',
      ...options,
    });
    const proxied = { url: proxy.url, report, lines, close: proxy.close };
    started.push(proxied);
    return proxied;
  }

  return { startUpstream, startProxied };
}

/** Sends bytes on one connection. @returns the bytes until the connection closes */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('latin1');
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return text(socket);
}

/** @returns a request that closes its connection, unless a header says otherwise */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  const names = headers.map((each) => each.split(':')[0]!.toLowerCase());
  const usual = [
    ...(names.includes('host') ? [] : ['Host: api.example']),
    ...(names.includes('connection') ? [] : ['Connection: close']),
  ];
  return [`${line} HTTP/1.1`, ...usual, ...headers, '', body].join('\r\n');
}

/** @returns the status of a response; 0 without one */
export const statusOf = (response: string) =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
