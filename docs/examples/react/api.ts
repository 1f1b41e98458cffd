// One function per operation: pages of three plants.
import { createApi, type HandlersOf, Problem } from 'stubwright';
import type { operations } from './generated/contract.ts';

const PAGE = 3;
const names = ['Aloe vera', 'Basil', 'Cactus', 'Dill', 'Elder'];
const plants = new Map(names.map((name, at) => [9007199254740993n + BigInt(at), name]));

const handlers: HandlersOf<operations, undefined> = {
  listPlants({ query: { after } }) {
    const all = [...plants].map(([id, name]) => ({ id, name }));
    const left = all
      .filter(({ id }) => after === undefined || id > after)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const page = left.slice(0, PAGE);
    const isLast = page.length === left.length;
    return { status: 200, body: { plants: page, ...(!isLast && { next: page.at(-1)!.id }) } };
  },
  createPlant({ body }) {
    if (plants.has(body.id)) throw new Problem(409, `a plant has the id ${body.id}`);
    plants.set(body.id, body.name);
    return { status: 201, body };
  },
};

export const api = await createApi({ contract: 'generated/contract.json', handlers });
