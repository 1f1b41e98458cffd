// openapi-fetch on the types of openapi-typescript, where an int64 is a bigint by its `transform`.
import createClient from 'openapi-fetch';
import type { paths } from './generated/contract.js';
import { exactly, report, shown, token, url } from './sdk.js';

const options = { baseUrl: url, headers: { Authorization: `Bearer ${token}` } };
const client = createClient<paths>({ ...options, bodySerializer: exactly });
const careless = createClient<paths>(options);

const create = async (
  body: paths['/plants']['post']['requestBody']['content']['application/json'],
) => {
  const { data, error, response } = await client.POST('/plants', { body });
  return { status: response.status, body: data ?? error };
};

await report('created', () => create({ id: 1n, name: 'Monstera', tag: 'tropical' }));
await report('conflict', () => create({ id: 1n, name: 'Aloe' }));
await report('largest', () => create({ id: 9223372036854775807n, name: 'Ficus' }));
await report('as generated', async () => {
  const { response } = await careless.POST('/plants', {
    body: { id: 9007199254740993n, name: 'Fern' },
  });
  return { status: response.status };
});
await report('read', async () => shown((await client.GET('/newest-plant')).data?.id));
await report(
  'read as text',
  async () => (await client.GET('/newest-plant', { parseAs: 'text' })).data,
);
