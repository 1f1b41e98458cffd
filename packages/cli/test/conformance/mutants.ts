// Copies of a document with one part removed, replaced or extended.
type Json = Record<string, unknown>;

export interface Mutant {
  /** The JSON pointer of the part, and its new value. */
  readonly change: string;
  readonly document: Json;
}

const REPLACEMENTS: readonly unknown[] = [1, 'a', true, null, [], {}];

/** @yields the mutants of a document; `openapi` and extensions stay */
export function* mutants(document: Json): Generator<Mutant> {
  for (const [...path] of pathsIn(document, [])) {
    const last = path.pop()!;
    const changed = (change: string, edit: (holder: Json, name: string) => void): Mutant => {
      const copy: Json = JSON.parse(JSON.stringify(document));
      const holder = path.reduce((node, name) => node[name] as Json, copy);
      edit(holder, last);
      return { change: `/${[...path, last].join('/')} ${change}`, document: copy };
    };
    for (const value of REPLACEMENTS) {
      yield changed(`= ${JSON.stringify(value)}`, (holder, name) => {
        holder[name] = value;
      });
    }
    yield changed('removed', (holder, name) => {
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
    });
    yield changed('extended', (holder, name) => {
      const part = holder[name];
      if (typeof part === 'object' && !Array.isArray(part)) holder[name] = { ...part, unknown: 1 };
    });
  }
}

function* pathsIn(node: unknown, path: readonly string[]): Generator<readonly string[]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, part] of Object.entries(node)) {
    if ((path.length === 0 && name === 'openapi') || name.startsWith('x-')) continue;
    yield [...path, name];
    yield* pathsIn(part, [...path, name]);
  }
}
