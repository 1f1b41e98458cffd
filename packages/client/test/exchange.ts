// Calls an operation of a client without a service.
import { openConnection, operation } from '../src/index.ts';

export type Spec = Parameters<typeof operation>[0];

/** @returns the reply of a call whose request is answered by `response`, and the request */
export async function exchange(
  spec: Partial<Spec>,
  response: Response,
  request: object = {},
): Promise<{
  reply: { body: unknown; type: unknown; headers: unknown };
  sent: Request;
  /** As it was passed to fetch. */
  url: string;
}> {
  const urls: string[] = [];
  const all: Request[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    urls.push(url);
    all.push(new Request(url, init));
    return response;
  };
  const call = operation({ id: 'call', method: 'POST', path: '/', replies: {}, ...spec });
  const connection = openConnection({ server: { url: 'http://toys.test' } }, { fetch } as never);
  const send = call as (connection: unknown, request: object) => Promise<unknown>;
  const reply = await send(connection, request);
  return { reply: reply as never, sent: all[0]!, url: urls[0]! };
}

const empty = () => new Response(null, { status: 204 });
const replies = { 204: {} };

export async function sentBody(bodies: Spec['bodies'], body: unknown, mediaType?: string) {
  const request = { body, ...(mediaType !== undefined && { mediaType }) };
  const { sent } = await exchange({ bodies: bodies!, replies }, empty(), request);
  return { type: sent.headers.get('Content-Type'), text: await sent.text() };
}
