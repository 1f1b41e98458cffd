// Copies the missing plants from one store to another, and compares two stores.
import { type NewPlant, samePlant } from '../plants/plant.ts';
import type { ReadableStore } from '../plants/store.ts';

const FIRST_ID = -(2n ** 63n);
const LAST_ID = 2n ** 63n - 1n;
const MAX_ROWS = 1000;
/** Maximum text in a page, in UTF-16 code units: the next page after a larger one has fewer rows. */
const PAGE_CHARS = 4 * 1024 * 1024;

/** The result of {@link compare}. */
export interface Comparison {
  /** Number of plants in the first store. */
  from: number;
  /** Number of plants in the second store. */
  to: number;
  missing: number;
  different: number;
  surplus: number;
  /** The first few missing, different and surplus ids. */
  readonly examples: string[];
}

const EXAMPLES = 10;

/**
 * Creates in `to` the plants of `from` whose ids are missing there. May be repeated after an
 * interruption.
 *
 * @param onRead receives the number of plants of `from` that have been read
 * @returns the number of created plants
 * @throws {StoreUnavailable} if a store is unavailable
 */
export async function copyMissing(
  from: ReadableStore,
  to: ReadableStore,
  onRead: (count: number) => void,
): Promise<number> {
  let read = 0;
  let created = 0;
  let pending: Promise<unknown>[] = [];
  for await (const [plant, held] of joinById(from, to)) {
    if (plant === undefined) continue;
    onRead(++read);
    if (held !== undefined) continue;
    const creating = to.create(plant);
    // Rejections are thrown by Promise.all below.
    creating.catch(() => {});
    pending.push(creating);
    created++;
    if (pending.length < MAX_ROWS) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
  return created;
}

/** Compares two stores. They are equal if nothing is missing, different or surplus. */
export async function compare(from: ReadableStore, to: ReadableStore): Promise<Comparison> {
  const result: Comparison = { from: 0, to: 0, missing: 0, different: 0, surplus: 0, examples: [] };
  for await (const [plant, held] of joinById(from, to)) {
    if (plant) result.from++;
    if (held) result.to++;
    if (plant && held && samePlant(plant, held)) continue;
    const kind = plant === undefined ? 'surplus' : held === undefined ? 'missing' : 'different';
    result[kind]++;
    if (result.examples.length < EXAMPLES) result.examples.push(`${kind} ${(plant ?? held)?.id}`);
  }
  return result;
}

/** @yields the plants of both stores with the same id, in ascending order of ids */
async function* joinById(
  from: ReadableStore,
  to: ReadableStore,
): AsyncGenerator<[NewPlant | undefined, NewPlant | undefined]> {
  const [left, right] = [plantsOf(from), plantsOf(to)];
  let [a, b] = [await next(left), await next(right)];
  while (a !== undefined || b !== undefined) {
    const isLeft = a !== undefined && (b === undefined || a.id <= b.id);
    const isRight = b !== undefined && (a === undefined || b.id <= a.id);
    yield [isLeft ? a : undefined, isRight ? b : undefined];
    if (isLeft) a = await next(left);
    if (isRight) b = await next(right);
  }
}

async function next(plants: AsyncGenerator<NewPlant>): Promise<NewPlant | undefined> {
  const { value, done } = await plants.next();
  return done ? undefined : value;
}

async function* plantsOf(store: ReadableStore): AsyncGenerator<NewPlant> {
  let first = FIRST_ID;
  let limit = MAX_ROWS;
  while (first <= LAST_ID) {
    const page = await store.pageFrom(first, limit);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    first = last.id + 1n;
    const chars = page.reduce((sum, { name, tag }) => sum + name.length + (tag?.length ?? 0), 0);
    limit = chars > PAGE_CHARS ? Math.max(1, limit >> 1) : Math.min(MAX_ROWS, limit * 2);
  }
}
