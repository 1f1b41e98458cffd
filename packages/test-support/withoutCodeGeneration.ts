// Serves requests in a process that compiles no strings, and prints its responses.
// The argument is the number of requests before validators are generated.
import { Contract } from '@stubwright/contract';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';

const properties = { id: { type: 'integer' }, name: { type: 'string' }, any: {} };
const schema = { type: 'object', required: ['id'], properties };
const ordered = { ...schema, properties: { id: properties.id, name: properties.name } };
const content = { 'application/json': { schema } };
const responses = {
  200: { description: 'The part', content },
  201: { description: 'The part', content: { 'application/json': { schema: ordered } } },
};
const createPart = { operationId: 'createPart', requestBody: { content }, responses };
const definition = new Contract({
  openapi: '3.1.0',
  info: { title: 'Parts', version: '1' },
  paths: { '/parts': { post: createPart } },
});
const api = await createApi<undefined, Request>({
  contract: { definition, warnings: [], files: [], publish: () => Promise.reject(new Error()) },
  handlers: {
    createPart: ({ body }: { readonly body: unknown }) => ({
      status: (body as { any?: number }).any ?? 200,
      body,
    }),
  },
});
const handle = fetchHandler(api);

function create(body: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return handle(new Request('http://localhost/parts', { method: 'POST', headers, body }));
}

for (let call = 0; call < Number(process.argv[2]); call++) await create('{"id":1}');
const valid = await create('{"id":1}');
const swapped = [];
for (const any of [200, 201]) {
  swapped.push(await (await create(`{"name":"x","any":${any},"id":1}`)).text());
}
const { status: invalid } = await create('{"id":"1"}');
console.log(JSON.stringify({ valid: [valid.status, await valid.text()], invalid, swapped }));
