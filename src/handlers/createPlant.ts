// createPlant: stores a plant, or answers 409 when its id is taken.
import { conflict } from 'stubwright';
import type { Reply, Request } from './operation.ts';
import type { Services } from './services.ts';

export async function createPlant(
  { body: plant }: Request<'createPlant'>,
  { plants }: Services,
): Promise<Reply<'createPlant'>> {
  const outcome = await plants.create(plant);
  if (outcome === 'different') throw conflict(`id ${plant.id} holds another plant`);
  return { status: 200, body: plant };
}
