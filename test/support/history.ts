// The set workload's rules: compares the answers to creates with the plants that are stored in the end.

export interface Attempt {
  readonly id: string;
  readonly name: string;
  /** Status of the response; 0 without one. */
  readonly status: number;
  /** As `performance.now()` counts. */
  readonly sentAt?: number;
  readonly answeredAt?: number;
}

export interface StoredName {
  readonly id?: unknown;
  readonly name?: unknown;
}

export interface Findings {
  /** Plants that a 200 acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged plants that are not stored with that content. */
  readonly lost: number;
  /** Answers, and stored plants, that contradict the rules below. */
  readonly falseAnswers: number;
  /** What each lost plant and false answer is. */
  readonly violations: readonly string[];
}

/** Any other status is false: an error of the store is 503. No answer at all claims nothing. */
const STATUSES = [0, 200, 409, 503];

/**
 * - A 200 means that the plant is stored.
 * - No id is acknowledged with two contents.
 * - A 409 means that a plant with other content is stored under the id.
 * - A create without one of these answers may be stored or not.
 * - Nothing is stored under an id of these creates that none of them sent.
 *
 * @param attempts in any order; plants are never changed or deleted between them
 * @param stored after the last answer
 */
export function checkHistory(
  attempts: readonly Attempt[],
  stored: readonly StoredName[],
): Findings {
  const nameOf = new Map(stored.map(({ id, name }) => [String(id), String(name)]));
  const acknowledged = new Map<string, Set<string>>();
  const sent = new Set<string>();
  const ids = new Set<string>();
  const falseAnswers: string[] = [];
  for (const { id, name, status } of attempts) {
    sent.add(plant(id, name));
    ids.add(id);
    if (status === 200) add(acknowledged, id, name);
    if (status === 409 && (nameOf.get(id) ?? name) === name)
      falseAnswers.push(`409 for ${plant(id, name)}, but stored is ${found(id, nameOf)}`);
    if (!STATUSES.includes(status)) falseAnswers.push(`${status} for ${plant(id, name)}`);
  }
  for (const [id, names] of acknowledged) {
    if (names.size > 1)
      falseAnswers.push(`200 for each of ${[...names].map((name) => plant(id, name)).join(', ')}`);
  }
  for (const id of ids) {
    const name = nameOf.get(id);
    if (name !== undefined && !sent.has(plant(id, name)))
      falseAnswers.push(`${plant(id, name)} is stored, but was never sent`);
  }
  const all = [...acknowledged].flatMap(([id, names]) => [...names].map((name) => ({ id, name })));
  const lost = all
    .filter(({ id, name }) => nameOf.get(id) !== name)
    .map(({ id, name }) => `200 for ${plant(id, name)}, but stored is ${found(id, nameOf)}`);
  return {
    acknowledged: all.length,
    lost: lost.length,
    falseAnswers: falseAnswers.length,
    violations: [...lost, ...falseAnswers],
  };
}

function add(acknowledged: Map<string, Set<string>>, id: string, name: string): void {
  const names = acknowledged.get(id);
  if (names === undefined) acknowledged.set(id, new Set([name]));
  else names.add(name);
}

function plant(id: string, name: string): string {
  return `${id} ${JSON.stringify(name)}`;
}

function found(id: string, nameOf: ReadonlyMap<string, string>): string {
  const name = nameOf.get(id);
  return name === undefined ? 'nothing' : JSON.stringify(name);
}
