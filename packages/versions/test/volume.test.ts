// Many rows and many items through an older version.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import { open, served, v1 } from './support.ts';

const NEWLINE = 10;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('a listing', () => {
  const toy = (name: string) =>
    `{type: object, required: [id, ${name}], properties: {id: {type: integer}, ${name}: {type: string}}}`;
  const listing = (
    path: string,
    name: string,
    [operationId, parameter, next]: readonly string[],
  ) => `
paths:
  ${path}:
    get:
      operationId: ${operationId}
      parameters: [{name: ${parameter}, in: query, schema: {type: integer, default: 0}}]
      responses:
        200:
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [toys]
                properties: {${next} toys: {type: array, items: {$ref: '#/components/schemas/Toy'}}}
components: {schemas: {Toy: ${toy(name)}}}
`;

  interface Listed {
    readonly next?: number;
    readonly toys: readonly object[];
  }
  type Scan = (request: object) => Promise<{ readonly body: Listed }>;

  /** As docs/stubwright/versions-reference.md: a page has no cursor before the page before it was read. */
  const call = async ({ query }: { query: { page: number } }, { scanToys }: { scanToys: Scan }) => {
    for (let page = 0, cursor: number | undefined; ; page++) {
      const { body } = await scanToys({ query: cursor === undefined ? {} : { cursor } });
      if (page === query.page) return { status: 200, body: { toys: body.toys.map(named) } };
      if (body.next === undefined) return { status: 200, body: { toys: [] } };
      cursor = body.next;
    }
  };
  const named = ({ title, ...rest }: { title?: string }) => ({ ...rest, name: title });

  it('by pages of an older version has the 10,000 rows of that by cursors', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ id: at, title: `toy ${at}` }));
    const limit = 500;
    const { send } = await served({
      yaml: listing('/toys/scan', 'title', ['scanToys', 'cursor', 'next: {type: integer},']),
      older: v1(listing('/toys', 'name', ['listToys', 'page', '']), {
        operations: { listToys: { call } },
      }),
      handlers: {
        scanToys({ query: { cursor } }: { query: { cursor: number } }) {
          const next = cursor + limit < rows.length ? { next: cursor + limit } : {};
          return { status: 200, body: { ...next, toys: rows.slice(cursor, cursor + limit) } };
        },
      } as never,
    });
    const byPages: object[] = [];
    for (let page = 0; byPages.length === page * limit; page++) {
      byPages.push(...(await send(`/v1/toys?page=${page}`)).body.toys);
    }
    const byCursors: object[] = [];
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const { body }: { body: Listed } = await send(`/toys/scan?cursor=${cursor}`);
      byCursors.push(...body.toys);
      cursor = body.next;
    }
    expect(byPages).toHaveLength(10_000);
    expect(byPages).toEqual(byCursors.map(named));
  });
});

describe('a stream', () => {
  const stream = (type: string, property: string) => `
paths:
  /events:
    get:
      operationId: watchToys
      responses: {200: {description: ok, content: {${type}: {x-item-schema: {$ref: '#/components/schemas/Event'}}}}}
components:
  schemas:
    Event:
      type: object
      required: [id, ${property}]
      properties: {id: {type: string}, ${property}: {type: string}}
`;
  const serve = (type: string, [older, newer]: readonly [string, string], handler: unknown) =>
    served({
      yaml: stream(type, newer),
      older: v1(stream(type, older), {
        schemas: {
          Event: {
            toOld: ({ [newer]: value, ...rest }: Record<string, string>) => ({
              ...rest,
              [older]: value,
            }),
          },
        },
        operations: {
          watchToys: {
            item: (event: { id: string }) => (event.id.endsWith('7') ? undefined : event),
          },
        },
      }),
      handlers: { watchToys: handler } as never,
    });

  it('of 1,000,000 items takes flat memory', async () => {
    const count = isTestAll ? 1_000_000 : 100_000;
    let made = 0;
    function* items() {
      for (; made < count; made++) yield { id: String(made), title: 'x'.repeat(100) };
    }
    const { versions } = await serve('application/jsonl', ['name', 'title'], () => ({
      ...{ status: 200, body: items() },
    }));
    const before = memoryInUse();
    let [lines, growth, sample] = [0, Number.POSITIVE_INFINITY, count / 2];
    for await (const chunk of await open(versions.engine, '/v1/events')) {
      for (const byte of chunk) if (byte === NEWLINE) lines++;
      if (made < sample) continue;
      sample += count / 16;
      growth = Math.min(growth, memoryInUse() - before);
    }
    expect({ made, lines }).toEqual({ made: count, lines: count - count / 10 });
    expect(growth).toBeLessThan(4 * 1024 * 1024);
  });

  it('of events resumes after Last-Event-ID, with the ids of the newer version', async () => {
    const events = Array.from({ length: 30 }, (_, at) => ({ id: String(at), event: 'kept' }));
    const handler = ({ lastEventId }: { lastEventId?: string }) => ({
      ...{ status: 200, body: events.slice(lastEventId === undefined ? 0 : +lastEventId + 1) },
    });
    const { versions } = await serve('text/event-stream', ['data', 'event'], handler);
    const idsOf = async (headers: Record<string, string>) => {
      let text = '';
      for await (const chunk of await open(versions.engine, '/v1/events', headers)) text += chunk;
      return [...text.matchAll(/^id: ?(\d+)\r?$/gm)].map(([, id]) => Number(id));
    };
    const all = events.map((_, at) => at).filter((at) => at % 10 !== 7);
    expect(await idsOf({})).toEqual(all);
    const last = all[9]!;
    expect(await idsOf({ 'last-event-id': String(last) })).toEqual(all.slice(10));
  });
});
