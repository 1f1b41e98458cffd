// A generated client reconnects to a stream of events of a service.
import { afterAll, expect, it } from '@jest/globals';
import { type ClientProject, clientProject, served } from '../support/clientProject.ts';

const CONTRACT = `openapi: 3.2.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: watchToys
      parameters: [{name: Last-Event-ID, in: header, schema: {type: string}}]
      responses:
        '200':
          description: ok
          content:
            text/event-stream:
              itemSchema:
                type: object
                properties:
                  data:
                    type: string
                    contentMediaType: application/json
                    contentSchema: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}
        '204': {description: the end}
`;

const MAIN = `import { createClient } from 'toys';
const client = createClient({ baseUrl: 'http://localhost' });
const reply = await client.watchToys({}, { reconnect: { limit: 3 } });
if (reply.status === 200) for await (const { data } of reply.body) data.id satisfies bigint;
`;

let project: ClientProject;
afterAll(() => project.remove());

it('continues with exact data until 204', async () => {
  project = await clientProject(CONTRACT);
  let count = 0;
  const { url, seen, close } = await served((_, response) => {
    count++;
    if (count === 3) response.writeHead(204).end();
    else {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`retry: 5\nid: e${count}\ndata: {"id":900719925474099${count}}\n\n`);
    }
  });
  const { createClient } = await project.load();
  const { body } = await createClient({ baseUrl: url }).watchToys({}, { reconnect: true });
  const events: unknown[] = [];
  for await (const each of body) events.push(each);
  close();
  expect(events).toEqual([
    { event: undefined, data: { id: 9007199254740991n }, id: 'e1', retry: 5 },
    { event: undefined, data: { id: 9007199254740992n }, id: 'e2', retry: 5 },
  ]);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1', 'e2']);
});

it('compiles', () => {
  expect(project.errorsOf(MAIN)).toEqual([]);
  expect(project.errorsOf(MAIN.replace('limit: 3', "limit: '3'"))).toHaveLength(1);
});
