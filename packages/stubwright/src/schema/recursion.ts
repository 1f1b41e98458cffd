// Which references lead back to the schema that holds them: the strongly connected components of the
// schemas, by Tarjan's algorithm.

/** A schema, as far as references go. */
interface Holder {
  /** Every schema that this one holds or refers to. */
  readonly inner: readonly this[];
}

interface Visit<Schema> {
  readonly schema: Schema;
  readonly index: number;
  /** The least index of an open schema that this one is known to reach. */
  low: number;
  readonly inner: readonly Schema[];
  /** The position of the inner schema that is visited next. */
  next: number;
}

export class Recursion<Schema extends Holder> {
  readonly #indexes = new Map<Schema, number>();
  /** The index of the schema by which its component was entered. */
  readonly #components = new Map<Schema, number>();
  /** Visited, and of no component yet. */
  readonly #open: Schema[] = [];

  /** @returns true where `to`, which `from` refers to, leads back to `from` */
  isRecursive(from: Schema, to: Schema): boolean {
    if (!this.#components.has(from)) this.#visit(from);
    return this.#components.get(from) === this.#components.get(to);
  }

  /** Without recursion: a chain of schemas may be longer than the stack. */
  #visit(start: Schema): void {
    const path = [this.#enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const child = visit.inner[visit.next++];
      if (child === undefined) {
        path.pop();
        this.#leave(visit, path.at(-1));
      } else if (!this.#indexes.has(child)) path.push(this.#enter(child));
      else if (!this.#components.has(child)) {
        visit.low = Math.min(visit.low, this.#indexes.get(child)!);
      }
    }
  }

  #enter(schema: Schema): Visit<Schema> {
    const index = this.#indexes.size;
    this.#indexes.set(schema, index);
    this.#open.push(schema);
    return { schema, index, low: index, inner: schema.inner, next: 0 };
  }

  #leave({ schema, index, low }: Visit<Schema>, outer: Visit<Schema> | undefined): void {
    if (low < index) {
      outer!.low = Math.min(outer!.low, low);
      return;
    }
    let member: Schema | undefined;
    do {
      member = this.#open.pop()!;
      this.#components.set(member, index);
    } while (member !== schema);
  }
}
