// The same parts of both contracts.

/** A part of both contracts. */
export interface Both<Part> {
  readonly before: Part;
  readonly after: Part;
}

/** A part of both contracts, or of one of them. */
export interface Sides<Part> {
  readonly before?: Part | undefined;
  readonly after?: Part | undefined;
}

export function areBoth<Part>(sides: Sides<Part>): sides is Both<Part> {
  return sides.before !== undefined && sides.after !== undefined;
}

/** What has parts by name. */
interface Named<Part> {
  keys(): Iterable<string>;
  get(name: string): Part | undefined;
}

/** @returns the parts of two maps, joined by name */
export function joined<Part>(
  before: Named<Part>,
  after: Named<Part>,
): ({ readonly name: string } & Sides<Part>)[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return Array.from(names, (name) => ({
    name,
    before: before.get(name),
    after: after.get(name),
  }));
}
