// Compiles the validators of an operation before its first use, without blocking the event loop.
import { setImmediate as turn } from 'node:timers/promises';
import type { Definition, LocatedNode, Operation } from '../document/definition.ts';
import { responseFor } from '../document/responses.ts';
import { requestSchemas, responseSchemas } from '../document/schemas.ts';
import { type Schema, SchemaModel } from './model.ts';
import type { Validators } from './validator.ts';

/** Target time per event loop iteration; a single schema may take longer. */
const TURN_MS = 10;

/** The preparation of one contract. Each method returns undefined if everything is compiled. */
export class Preparation {
  readonly #definition: Definition;
  readonly #requests: Slices;
  readonly #responses: Slices;

  constructor(definition: Definition, requests: Validators, responses: Validators) {
    this.#definition = definition;
    this.#requests = new Slices(definition, requests);
    this.#responses = new Slices(definition, responses);
  }

  request(operation: Operation): Promise<void> | undefined {
    return this.#requests.compile(operation, () => requestSchemas(this.#definition, operation));
  }

  response(operation: Operation, status: number): Promise<void> | undefined {
    const response = responseFor(operation.responses, status);
    if (response === undefined) return undefined;
    const { pointer } = response;
    return this.#responses.compile(pointer, () => responseSchemas(this.#definition, response));
  }
}

class Slices {
  readonly #model: SchemaModel;
  readonly #validators: Validators;
  readonly #entered = new Set<Schema>();
  readonly #left = new Set<Schema>();
  /** Schemas that a subschema refers back to. */
  readonly #recursive = new Set<Schema>();
  /** By key: undefined after the compilation. */
  readonly #started = new Map<unknown, Promise<void> | undefined>();

  constructor(definition: Definition, validators: Validators) {
    this.#model = SchemaModel.of(definition);
    this.#validators = validators;
  }

  /** @param key identifies the owner of the schemas */
  compile(key: unknown, schemas: () => Iterable<LocatedNode>): Promise<void> | undefined {
    if (this.#started.has(key)) return this.#started.get(key);
    const started = this.#compile([...schemas()])
      // The error is thrown again when the schema is used.
      .catch(() => {})
      .then(() => void this.#started.set(key, undefined));
    this.#started.set(key, started);
    return started;
  }

  async #compile(schemas: readonly LocatedNode[]): Promise<void> {
    let startedAt = performance.now();
    for (const { pointer: start } of schemas) {
      for (const { pointer } of this.#inOrder(this.#model.at(start)!)) {
        this.#validators.at(pointer);
        if (performance.now() - startedAt < TURN_MS) continue;
        await turn();
        startedAt = performance.now();
      }
    }
  }

  /**
   * @yields referenced schemas before the schemas that refer to them, so that no compilation includes
   *   another schema; targets of recursive references last
   */
  *#inOrder(start: Schema): Generator<Schema> {
    const pending = [{ schema: start, isEntered: false }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { schema, isEntered } = next;
      if (isEntered) {
        this.#left.add(schema);
        for (const target of referencesOf(schema)) {
          if (this.#left.has(target)) yield target;
          else this.#recursive.add(target);
        }
        if (this.#recursive.has(schema)) yield schema;
        continue;
      }
      if (this.#entered.has(schema)) continue;
      this.#entered.add(schema);
      pending.push({ schema, isEntered: true });
      for (const each of schema.inner) pending.push({ schema: each, isEntered: false });
    }
    yield start;
  }
}

function referencesOf({ ref, dynamicRefs }: Schema): readonly Schema[] {
  return ref === undefined ? dynamicRefs : [ref, ...dynamicRefs];
}
