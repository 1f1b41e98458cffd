// One function per operation: no HTTP, exact integers.
import { createApi, type HandlersOf, Problem } from 'stubwright';
import type { components, operations } from './generated/contract.ts';

const toys = new Map<bigint, components['schemas']['Toy']>();

const handlers: HandlersOf<operations, undefined> = {
  storeToy({ body }) {
    toys.set(body.id, body);
    return { status: 201, body };
  },
  getToy({ path: { id } }) {
    const toy = toys.get(id);
    if (toy === undefined) throw new Problem(404, `no toy has the id ${id}`);
    return { status: 200, body: toy };
  },
};

export const api = await createApi({ contract: 'generated/contract.json', handlers });
