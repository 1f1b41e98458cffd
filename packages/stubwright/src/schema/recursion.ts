// Detects recursive references: strongly connected components by Tarjan's algorithm.

/** A node of the reference graph. */
interface GraphNode {
  /** All direct subschemas and referenced schemas. */
  readonly inner: readonly this[];
}

interface Visit<Schema> {
  readonly schema: Schema;
  readonly index: number;
  /** The lowlink: the smallest reachable index on the stack. */
  low: number;
  readonly inner: readonly Schema[];
  /** The position of the next inner schema. */
  next: number;
}

export class Recursion<Schema extends GraphNode> {
  readonly #indexes = new Map<Schema, number>();
  /** Schema -> index of the root of its component. */
  readonly #components = new Map<Schema, number>();
  /** Tarjan's stack: visited schemas without a component. */
  readonly #stack: Schema[] = [];

  /** @param to a schema that `from` refers to @returns true if `to` refers back to `from` */
  isRecursive(from: Schema, to: Schema): boolean {
    if (!this.#components.has(from)) this.#visit(from);
    return this.#components.get(from) === this.#components.get(to);
  }

  /** Iterative: a chain of schemas may exceed the call stack. */
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
    this.#stack.push(schema);
    return { schema, index, low: index, inner: schema.inner, next: 0 };
  }

  #leave({ schema, index, low }: Visit<Schema>, outer: Visit<Schema> | undefined): void {
    if (low < index) {
      outer!.low = Math.min(outer!.low, low);
      return;
    }
    let member: Schema | undefined;
    do {
      member = this.#stack.pop()!;
      this.#components.set(member, index);
    } while (member !== schema);
  }
}
