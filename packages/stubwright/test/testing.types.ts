// What must not compile with the client of stubwright/testing, checked by tsc. Nothing here runs.

import type { operations as toys } from '@stubwright/test-support/toyTypes';
import type { ReadOnly } from '../src/index.ts';
import type { TestClient } from '../src/testing.ts';

interface Error4 {
  headers: { [name: string]: unknown };
  content: { 'application/problem+json': { title: string } };
}

interface operations {
  send: {
    parameters: {
      query: { limit: number; page?: number };
      header?: { 'X-Trace'?: string };
      path: { id: bigint };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          readonly id: bigint;
          readonly made?: string;
          name: string;
          tags?: ({ readonly at: string; text: string } & ReadOnly<'at'>)[];
        } & ReadOnly<'id' | 'made'>;
        'multipart/form-data': { photo: Blob; more?: Blob[] };
        'image/*': unknown;
      };
    };
    responses: {
      200: {
        headers: { 'X-Left': bigint; 'X-List'?: number[]; [name: string]: unknown };
        content: { 'application/json': { id: bigint }; 'image/png': unknown; 'text/plain': string };
      };
      204: { headers: { [name: string]: unknown }; content?: never };
      '4XX': Error4;
      default: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { fault: string } };
      };
    };
  };
  ping: {
    parameters: { query?: { at?: string }; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 204: { headers: { [name: string]: unknown }; content?: never } };
  };
}

export async function requests(client: TestClient<operations>, store: TestClient<toys>) {
  const path = { id: 1n };
  const query = { limit: 1 };
  await client.call('ping');
  await client.call('ping', { query: { at: 'x' }, header: { Authorization: 'Bearer x' } });
  await client.call('send', { path, query, body: { name: 'x', tags: [{ text: 'x' }] } });
  await client.call('send', {
    path,
    query,
    body: { photo: Buffer.from('x'), more: [new Blob([])] },
  });
  await client.call('send', { path, query, mediaType: 'image/png', body: new Blob([]) });
  await client.call('send', {
    path,
    query,
    header: { 'X-Trace': 'a', 'X-Other': 1 },
    body: new FormData(),
  });
  await store.call('storeToy', { body: { id: 1n, name: 'x' } });

  // @ts-expect-error an operation that the contract lacks
  await client.call('wash');
  // @ts-expect-error a missing request
  await client.call('send');
  // @ts-expect-error a missing query parameter
  await client.call('send', { path, query: { page: 1 }, body: { name: 'x' } });
  // @ts-expect-error an int64 is no number
  await client.call('send', { path: { id: 1 }, query, body: { name: 'x' } });
  // @ts-expect-error a missing property
  await client.call('send', { path, query, body: {} });
  // @ts-expect-error a readOnly property
  await client.call('send', { path, query, body: { id: 1n, name: 'x' } });
  // @ts-expect-error the body of another media type
  await client.call('send', { path, query, mediaType: 'image/png', body: { name: 'x' } });
  // @ts-expect-error an undeclared media type
  await client.call('send', { path, query, mediaType: 'text/plain', body: new Blob([]) });
  // @ts-expect-error a header of another type
  await client.call('send', { path, query, header: { 'X-Trace': 1 }, body: { name: 'x' } });
  // @ts-expect-error an undeclared body
  await client.call('ping', { body: {} });
  // @ts-expect-error an undeclared query parameter
  await client.call('ping', { query: { other: 1 } });
}

export async function responses(client: TestClient<operations>) {
  const reply = await client.call('send', {
    path: { id: 1n },
    query: { limit: 1 },
    body: { name: 'x' },
  });
  if (reply.status === 200) {
    const left: bigint = reply.headers['X-Left'];
    if (reply.type === 'application/json') return [left, reply.body.id satisfies bigint];
    if (reply.type === 'image/png') return reply.body satisfies Uint8Array;
    return reply.body satisfies string;
  }
  if (reply.status === 204) return reply.body satisfies undefined;
  if (reply.status === 404) return reply.body.title;
  if (reply.status === 500) return reply.body.fault;
  // @ts-expect-error the body of another status
  return reply.body?.name;
}

// biome-ignore lint/suspicious/noExplicitAny: without generated types
export async function untyped(client: TestClient<Record<string, any>>) {
  const { body } = await client.call('anything', { path: { id: 1 }, body: {} });
  return body.name;
}
