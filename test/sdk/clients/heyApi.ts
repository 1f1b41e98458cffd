// The SDK of @hey-api/openapi-ts with its plugin for transformers, by which an int64 is a bigint.
import { client } from './generated/client.gen.js';
import { createPlant, readNewestPlant } from './generated/sdk.gen.js';
import type { NewPlant } from './generated/types.gen.js';
import { exactly, report, shown, token, url } from './sdk.js';

client.setConfig({ baseUrl: url, auth: () => token });

const create = async (body: NewPlant) => {
  const { data, error, response } = await createPlant({ body, bodySerializer: exactly });
  return { status: response?.status, body: data ?? error };
};

await report('created', () => create({ id: 1n, name: 'Monstera', tag: 'tropical' }));
await report('conflict', () => create({ id: 1n, name: 'Aloe' }));
await report('largest', () => create({ id: 9223372036854775807n, name: 'Ficus' }));
await report('as generated', async () => {
  const { error, response } = await createPlant({ body: { id: 9007199254740993n, name: 'Fern' } });
  return { status: response?.status, body: error };
});
await report('read', async () => shown((await readNewestPlant()).data?.id));
await report('read as text', async () => (await readNewestPlant({ parseAs: 'text' })).data);
