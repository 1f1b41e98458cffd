// One store's plants into another: only what is missing there, then both compared. Knows no database.
import { type NewPlant, samePlant } from '../plants/plant.ts';
import type { ReadableStore } from '../plants/store.ts';

const FIRST_ID = -(2n ** 63n);
const LAST_ID = 2n ** 63n - 1n;
const MOST_ROWS = 1000;
/** Plants may be a mebibyte each: a page that had more text is followed by a smaller one. */
const PAGE_CHARS = 4 * 1024 * 1024;

/** How two stores compare. Of ids only the first few are named. */
export interface Comparison {
  /** Plants in the first. */
  from: number;
  /** Plants in the second. */
  to: number;
  missing: number;
  different: number;
  surplus: number;
  /** Of the missing, the different and the surplus. */
  readonly examples: string[];
}

const EXAMPLES = 10;

/**
 * Creates in `to` what it does not have of `from`. May be stopped at any moment and called again: what
 * was moved is then read, not written.
 *
 * @param onRead called with the number of plants of `from` that have been read so far
 * @returns how many were created
 * @throws {StoreUnavailable} and what reading either store throws
 */
export async function copyMissing(
  from: ReadableStore,
  to: ReadableStore,
  onRead: (count: number) => void,
): Promise<number> {
  let read = 0;
  let created = 0;
  let underWay: Promise<unknown>[] = [];
  for await (const [plant, held] of sideBySide(from, to)) {
    if (plant === undefined) continue;
    onRead(++read);
    if (held !== undefined) continue;
    const creating = to.create(plant);
    // The error of one that fails while the next page is read is thrown below.
    creating.catch(() => {});
    underWay.push(creating);
    created++;
    if (underWay.length < MOST_ROWS) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
  return created;
}

/** Reads both stores from end to end. They are equal when nothing is missing, different or surplus. */
export async function compare(from: ReadableStore, to: ReadableStore): Promise<Comparison> {
  const result: Comparison = { from: 0, to: 0, missing: 0, different: 0, surplus: 0, examples: [] };
  for await (const [plant, held] of sideBySide(from, to)) {
    if (plant) result.from++;
    if (held) result.to++;
    if (plant && held && samePlant(plant, held)) continue;
    const kind = plant === undefined ? 'surplus' : held === undefined ? 'missing' : 'different';
    result[kind]++;
    if (result.examples.length < EXAMPLES) result.examples.push(`${kind} ${(plant ?? held)?.id}`);
  }
  return result;
}

/** The plants of two stores by id: of the first, of the second, or of both. */
async function* sideBySide(
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
  let most = MOST_ROWS;
  while (first <= LAST_ID) {
    const page = await store.pageFrom(first, most);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    first = last.id + 1n;
    const chars = page.reduce((sum, { name, tag }) => sum + name.length + (tag?.length ?? 0), 0);
    most = chars > PAGE_CHARS ? Math.max(1, most >> 1) : Math.min(MOST_ROWS, most * 2);
  }
}
