// Bodies that arrive after their headers, in several pieces.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy } from '@stubwright/test-support/toy';
import { createApi } from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import { loadedContract } from './support/contract.ts';
import { closeServers, listening } from './support/listening.ts';

const PATHS = `
paths:
  /toys:
    post:
      operationId: storeToy
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'204': {description: ok}, default: {description: e, content: {application/json: {schema: {}}}}}
`;

interface Served {
  readonly url: string;
  /** What the handler got, the last first. */
  readonly got: readonly object[];
  readonly close: () => void | Promise<void>;
}

/** Of `stubwright/node`, which reads bodies without koa-bodyparser. */
async function listen(): Promise<Served> {
  const got: object[] = [];
  const api = await createApi({
    contract: loadedContract(PATHS),
    handlers: {
      storeToy({ body }: { body: unknown }) {
        got.unshift({ body });
        return { status: 204 };
      },
    },
    bodyLimitBytes: 40,
  });
  return { url: await listening(requestListener(api)), got, close: closeServers };
}

describe.each<[string, () => Promise<Served>]>([
  ['a service', () => serveToy('3.0.3', PATHS, { bodyLimitBytes: 40 })],
  ['stubwright/node', listen],
])('bodies that arrive at %s', (_, serve) => {
  let toy: Served;
  beforeAll(async () => {
    toy = await serve();
  });
  afterAll(async () => {
    await toy.close();
  });

  async function post(headers: Record<string, string>): Promise<ClientRequest> {
    const sent = request(`${toy.url}/toys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      agent: false,
    });
    sent.flushHeaders();
    await once(sent, 'socket');
    return sent;
  }

  /** Sends the pieces one by one; the results are the same for pieces that arrive together. */
  async function send(sent: ClientRequest, pieces: readonly string[]): Promise<void> {
    for (const piece of pieces) {
      await new Promise((done) => sent.write(piece, done));
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  async function statusOf(sent: ClientRequest): Promise<number | undefined> {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  it.each<Record<string, string>>([
    {},
    { 'Content-Length': '15' },
    // koa-bodyparser accepts it in lower case only.
    { 'Content-Encoding': 'Identity' },
  ])('are read to their end: %j', async (headers) => {
    const sent = await post(headers);
    const status = statusOf(sent);
    await send(sent, ['{"name"', ':"Bär']);
    sent.end('"}');
    expect(await status).toBe(204);
    expect(toy.got[0]).toMatchObject({ body: { name: 'Bär' } });
  });

  it('are rejected above the limit, without their rest', async () => {
    const sent = await post({});
    const status = statusOf(sent);
    sent.on('error', () => {});
    await send(sent, ['{"name":"', 'a'.repeat(40)]);
    expect(await status).toBe(413);
    sent.destroy();
  });

  it('up to the limit are accepted', async () => {
    const sent = await post({});
    const status = statusOf(sent);
    await send(sent, ['{"name":"', 'a'.repeat(29)]);
    sent.end('"}');
    expect(await status).toBe(204);
  });

  it('that end early reach no handler', async () => {
    const count = toy.got.length;
    const sent = await post({ 'Content-Length': '20' });
    const closed = new Promise<void>((done) => sent.on('error', () => {}).on('close', done));
    await send(sent, ['{"name"']);
    sent.destroy();
    await closed;
    expect(
      (await fetch(`${toy.url}/toys`, { method: 'POST', headers: { connection: 'close' } })).status,
    ).toBe(204);
    expect(toy.got).toHaveLength(count + 1);
  });
});
