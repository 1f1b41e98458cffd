// The SDK of swagger-typescript-api, made with `primitiveTypeConstructs`, by which an int64 is a bigint.
import { Api, type NewPlant } from './generated/api.js';
import { asDigits, report, shown, token, url } from './sdk.js';

const { plants, newestPlant } = new Api({
  baseUrl: url,
  baseApiParams: { headers: { Authorization: `Bearer ${token}` } },
});

/** It throws what is no success, as the response. */
const create = async (plant: NewPlant) => {
  const { status, data, error } = await plants.createPlant(plant).catch((refused) => refused);
  return { status, body: data ?? error };
};

await report('as generated', () => plants.createPlant({ id: 9007199254740993n, name: 'Fern' }));
// It has no place for another serializer, so bigints learn to be written, for the whole program.
Object.defineProperty(BigInt.prototype, 'toJSON', { value: asDigits });
await report('created', () => create({ id: 1n, name: 'Monstera', tag: 'tropical' }));
await report('conflict', () => create({ id: 1n, name: 'Aloe' }));
await report('largest', () => create({ id: 9223372036854775807n, name: 'Ficus' }));
await report('read', async () => shown((await newestPlant.readNewestPlant()).data.id));
