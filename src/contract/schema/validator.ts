// Validation against the contract's schemas: Ajv, fed by SchemaTranslator, compiled when first
// needed; and the words in which a fault is told.
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Definition } from '../definition/definition.ts';
import { binaryKeyword } from './binary.ts';
import { formats } from './formats.ts';
import { type Direction, hiddenNames, type Schema, SchemaModel } from './model.ts';
import { numericKeyword } from './numeric.ts';
import { patternForAjv } from './pattern.ts';
import { type Context, contextAt, NO_CONTEXT, SchemaTranslator } from './translate.ts';
import { allowedKeyword, distinctItemsKeyword } from './values.ts';

export type { ValidateFunction } from 'ajv';

/** A message names at most this many faults, so that an answer stays smaller than its request. */
const MAX_FAULTS = 50;
const MAX_FAULT_LENGTH = 400;

/** The validators of one contract for one direction. */
export class Validators {
  readonly direction: Direction;
  readonly model: SchemaModel;
  readonly #translator: SchemaTranslator;
  readonly #ids = new Map<string, string>();
  readonly #branches = new Map<Schema, Map<Schema, ValidateFunction>>();
  readonly #pending: { id: string; pointer: string; context: Context }[] = [];
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    addUsedSchema: false,
    // A declared property `constructor` is absent from `{}`.
    ownProperties: true,
    formats,
    keywords: [numericKeyword, allowedKeyword, distinctItemsKeyword, binaryKeyword],
    logger: false,
    code: { regExp: patternForAjv },
  });

  constructor(definition: Definition, direction: Direction) {
    this.direction = direction;
    this.model = SchemaModel.of(definition);
    this.#translator = new SchemaTranslator(direction, (to, context) => this.#idOf(to, context));
  }

  /** @returns the validator of the schema at `pointer`, compiled at its first use. */
  at(pointer: string): ValidateFunction {
    return this.#compiled(pointer, NO_CONTEXT);
  }

  /** @returns the validator of a schema as one of the alternatives or the condition of another */
  branch(schema: Schema, of: Schema): ValidateFunction {
    const known = this.#branches.get(of)?.get(schema);
    if (known !== undefined) return known;
    const context = { ...NO_CONTEXT, hidden: hiddenNames(of, this.direction), isBranch: true };
    const compiled = this.#compiled(schema.pointer, contextAt(schema, context, this.direction));
    const branches = this.#branches.get(of) ?? new Map<Schema, ValidateFunction>();
    this.#branches.set(of, branches.set(schema, compiled));
    return compiled;
  }

  #compiled(pointer: string, context: Context): ValidateFunction {
    const root = this.#idOf(pointer, context);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const schema = this.#translator.translate(this.model.at(next.pointer)!, next.context);
      this.#ajv.addSchema(schema, next.id);
    }
    return this.#ajv.getSchema(root)!;
  }

  #idOf(pointer: string, context: Context): string {
    const { anchors, hidden, isBranch } = context;
    const isPlain = anchors.size === 0 && hidden.size === 0 && !isBranch;
    const key = isPlain
      ? pointer
      : `${pointer} ${JSON.stringify([[...anchors], [...hidden].sort(), isBranch])}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `schema:/${this.#ids.size}`;
    this.#ids.set(key, id);
    this.#pending.push({ id, pointer, context });
    return id;
  }
}

/**
 * Tells every fault by its place and what was expected there.
 *
 * @param where what the pointers are relative to: `''` for the body, else a parameter's name
 */
export function tellFaults(errors: readonly ErrorObject[], where: string): string {
  return joinFaults(new Set(errors.map((error) => where + tellFault(error))));
}

/** Not cut inside a surrogate pair: half of one is invalid JSON for strict parsers. */
function shortened(fault: string): string {
  return fault.slice(0, MAX_FAULT_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** @returns the faults in one line, each once, no more and no longer than a person reads */
export function joinFaults(faults: ReadonlySet<string>): string {
  const told = [...faults].slice(0, MAX_FAULTS).map(shortened);
  if (faults.size > told.length) told.push(`and ${faults.size - told.length} more`);
  return told.join('; ');
}

function tellFault({ instancePath, keyword, params, message = '' }: ErrorObject): string {
  const at = instancePath === '' ? '' : `${instancePath} `;
  switch (keyword) {
    case 'required':
      return `${instancePath}/${params['missingProperty']} is required`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${instancePath}/${params[keyword.replace('Properties', 'Property')]} is not declared`;
    case 'false schema':
      return `${at}is not accepted here`;
    case 'type':
      return `${at}expected ${[params['type']].flat().join(' or ')}`;
    case 'binary':
      return `${at}expected a file`;
    case 'numeric':
    case 'allowed':
    case 'distinctItems':
      return at + message;
    default:
      return `${at}${message.replace(/^must/, 'expected to')}`;
  }
}
