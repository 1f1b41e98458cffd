// The minimum depth of the values of a schema, to end recursions.
import type { Schema } from '@stubwright/contract';
import { allowedValues, compositions, mandatory, mayBeNull } from './keywords.ts';

const ENDLESS = Number.POSITIVE_INFINITY;

export class Heights {
  readonly #heights = new Map<Schema, number>();

  /** @returns the minimum depth; Infinity for a schema without finite values */
  of(schema: Schema): number {
    if (!this.#heights.has(schema)) this.#settle(schema);
    return this.#known(schema);
  }

  #known(schema: Schema): number {
    return this.#heights.get(schema) ?? ENDLESS;
  }

  /** Fixed-point iteration over all reachable schemas, from Infinity downwards. */
  #settle(start: Schema): void {
    const reached = new Set([start]);
    const dependents = new Map<Schema, Schema[]>();
    for (const schema of reached) {
      for (const each of needed(schema)) {
        if (!this.#heights.has(each)) reached.add(each);
        const others = dependents.get(each);
        if (others === undefined) dependents.set(each, [schema]);
        else others.push(schema);
      }
    }
    const pending = [...reached];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      const height = this.#computed(schema);
      if (this.#heights.has(schema) && height >= this.#known(schema)) continue;
      this.#heights.set(schema, height);
      if (height < ENDLESS) pending.push(...(dependents.get(schema) ?? []));
    }
  }

  #computed(schema: Schema): number {
    if (schema.isNever) return ENDLESS;
    if (mayBeNull(schema) || allowedValues([schema]) !== undefined) return 0;
    return Math.max(
      0,
      ...mandatory(schema).map((each) => this.#known(each)),
      ...requiredParts(schema).map((each) => 1 + this.#known(each)),
      ...compositions(schema).map((keyword) =>
        Math.min(...schema.list(keyword).map((each) => this.#known(each))),
      ),
    );
  }
}

function needed(schema: Schema): Schema[] {
  const branches = compositions(schema).flatMap((keyword) => schema.list(keyword));
  return [...mandatory(schema), ...requiredParts(schema), ...branches];
}

function requiredParts(schema: Schema): Schema[] {
  const { required = [], minItems = 0 } = schema.keywords;
  const properties = schema.map('properties');
  const items = schema.child('items');
  const needsItems = items !== undefined && minItems > schema.list('prefixItems').length;
  return [
    ...required.flatMap((name: string) => properties.get(name) ?? []),
    ...(needsItems ? [items] : []),
  ];
}
