// Handler of createPlant.
import { Problem } from 'stubwright';
import type { Reply, Request } from './operation.ts';
import type { Services } from './services.ts';

/**
 * Stores a plant.
 *
 * @throws {Problem} 40900 if the id exists with a different name or tag
 * @throws {StoreUnavailable} if the outcome is not durable
 */
export async function createPlant(
  { body: plant }: Request<'createPlant'>,
  { plants }: Services,
): Promise<Reply<'createPlant'>> {
  const outcome = await plants.create(plant);
  const { id, ...body } = plant;
  if (outcome === 'different') throw new Problem(409, `id ${id} holds another plant`);
  return { status: 200, body };
}
