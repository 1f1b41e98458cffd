// The schemas that apply to a value: conjuncts, matching alternatives, and selected subschemas.
import { discriminatorsOf, selectedBy } from '../schema/discriminator.ts';
import type { Evaluation } from '../schema/evaluation.ts';
import type { Schema } from '../schema/model.ts';
import type { Validators } from '../schema/validator.ts';

/** What counts as declared. */
export interface DeclaredOptions {
  /** The alternatives whose properties count as declared: by default the matching ones. */
  readonly branches?: 'matching' | 'all';
  /** True to keep `writeOnly` properties. */
  readonly keepsHidden?: boolean;
}

/** The conjuncts of schemas, each compiled once. */
export class Conjuncts {
  readonly #validators: Validators;
  readonly #options: DeclaredOptions;
  readonly #conjuncts = new Map<Schema, readonly Conjunct[]>();

  constructor(validators: Validators, options: DeclaredOptions) {
    this.#validators = validators;
    this.#options = options;
  }

  /** The conjuncts of a schema, with the subschemas that may apply to the same values. */
  of(schema: Schema): readonly Conjunct[] {
    const known = this.#conjuncts.get(schema);
    if (known !== undefined) return known;
    const conjuncts = schema.conjuncts.map((each) =>
      conjunctOf(each, this.#validators, this.#options),
    );
    this.#conjuncts.set(schema, conjuncts);
    return conjuncts;
  }
}

/** The schemas that apply to one value. */
export class Applying {
  readonly schemas = new Set<Schema>();
  /** False if it depends on the value. */
  isAlwaysSame = true;
  readonly #conjuncts: Conjuncts;
  readonly #value: object;
  readonly #evaluation: Evaluation;

  constructor(conjuncts: Conjuncts, value: object, evaluation: Evaluation) {
    this.#conjuncts = conjuncts;
    this.#value = value;
    this.#evaluation = evaluation;
  }

  /** Adds a schema and the other schemas that apply to the same value. */
  add(schema: Schema): void {
    const others: Schema[] = [];
    if (discriminatorsOf(schema).length > 0) {
      this.isAlwaysSame = false;
      others.push(...selectedBy(schema, this.#value));
    }
    for (const { schema: each, always, sometimes } of this.#conjuncts.of(schema)) {
      if (this.schemas.has(each)) continue;
      this.schemas.add(each);
      if (sometimes.length > 0) this.isAlwaysSame = false;
      others.push(...always);
      for (const select of sometimes) others.push(...select(this.#value, this.#evaluation));
    }
    for (const each of others) if (!this.schemas.has(each)) this.add(each);
  }
}

interface Conjunct {
  readonly schema: Schema;
  /** Alternatives that count for every value. */
  readonly always: readonly Schema[];
  /** Functions that select the subschemas which apply to a value. */
  readonly sometimes: readonly Select[];
}

type Select = (value: object, evaluation: Evaluation) => readonly Schema[];

function conjunctOf(
  schema: Schema,
  validators: Validators,
  { branches }: DeclaredOptions,
): Conjunct {
  const { dynamicRefs } = schema;
  const alternatives = [...dynamicRefs, ...schema.list('oneOf'), ...schema.list('anyOf')];
  const sometimes: Select[] = [];
  const addBranch = (branch: Schema, valid: readonly Schema[], invalid: readonly Schema[]) => {
    const validate = validators.branch(branch, schema);
    sometimes.push((value, evaluation) => (validate(value, evaluation) ? valid : invalid));
  };
  if (branches !== 'all') for (const each of alternatives) addBranch(each, [each], []);
  const condition = schema.child('if');
  if (condition !== undefined) {
    const then = schema.child('then') ?? [];
    addBranch(condition, [condition, then].flat(), [schema.child('else') ?? []].flat());
  }
  for (const [name, each] of schema.map('dependentSchemas')) {
    sometimes.push((value) => (Object.hasOwn(value, name) ? [each] : []));
  }
  return { schema, always: branches === 'all' ? alternatives : [], sometimes };
}
