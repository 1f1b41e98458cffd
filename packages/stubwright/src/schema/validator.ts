// Validation against the contract's schemas: Ajv, fed by SchemaTranslator, compiled when first
// needed; and the messages of their errors.
import type { ErrorObject, FuncKeywordDefinition, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Definition, Node } from '../document/definition.ts';
import { binaryKeyword } from './binary.ts';
import { formats } from './formats.ts';
import { type Direction, hiddenNames, type Schema, SchemaModel } from './model.ts';
import { numericKeyword } from './numeric.ts';
import { patternForAjv } from './pattern.ts';
import { type Context, contextAt, NO_CONTEXT, SchemaTranslator } from './translate.ts';
import { allowedKeyword, distinctItemsKeyword } from './values.ts';

export type { ValidateFunction } from 'ajv';

/** A message names at most this many errors, so that an answer stays smaller than its request. */
const MAX_ERRORS = 50;
const MAX_ERROR_LENGTH = 400;

/** A schema in a context, as Ajv knows it. */
interface Entry {
  readonly id: string;
  readonly pointer: string;
  readonly context: Context;
  isAdded: boolean;
}

type DataValidateFunction = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

/** The validators of one contract for one direction. */
export class Validators {
  readonly direction: Direction;
  readonly model: SchemaModel;
  readonly #translator: SchemaTranslator;
  readonly #entries = new Map<string, Entry>();
  readonly #branches = new Map<Schema, Map<Schema, ValidateFunction>>();
  /** To be translated and added to Ajv before the schema that refers to them is compiled. */
  readonly #pending: Entry[] = [];
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    addUsedSchema: false,
    // A declared property `constructor` is absent from `{}`.
    ownProperties: true,
    formats,
    keywords: [
      ...[numericKeyword, allowedKeyword, distinctItemsKeyword, binaryKeyword],
      { keyword: 'laterRef', errors: 'full', compile: (entry: Entry) => this.#later(entry) },
    ],
    logger: false,
    // Both shorten the code of a validator, and would hold the event loop several times as long.
    code: { regExp: patternForAjv, optimize: false },
    inlineRefs: false,
  });

  constructor(definition: Definition, direction: Direction) {
    this.direction = direction;
    this.model = SchemaModel.of(definition);
    this.#translator = new SchemaTranslator(direction, (from, to, context) =>
      this.#referTo(from, to, context),
    );
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
    return this.#compile(this.#entryOf(pointer, context));
  }

  #compile(entry: Entry): ValidateFunction {
    this.#add(entry);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const schema = this.#translator.translate(this.model.at(next.pointer)!, next.context);
      this.#ajv.addSchema(schema, next.id);
    }
    return this.#ajv.getSchema(entry.id)!;
  }

  /**
   * Ajv compiles a schema with all that it refers to. A reference that leads back is compiled when
   * it is first followed: so schemas that refer to each other are compiled one at a time.
   */
  #referTo(from: Schema, to: Schema, context: Context): Node {
    const entry = this.#entryOf(to.pointer, context);
    // Ajv knows what a `$ref` has evaluated, not what another keyword has.
    if (this.model.isRecursive(from, to) && !this.model.hasUnevaluated) return { laterRef: entry };
    this.#add(entry);
    return { $ref: entry.id };
  }

  #later(entry: Entry): DataValidateFunction {
    let compiled: ValidateFunction | undefined;
    const validate: DataValidateFunction = (data, context) => {
      compiled ??= this.#compile(entry);
      if (compiled(data, context)) return true;
      validate.errors = compiled.errors!;
      return false;
    };
    return validate;
  }

  #add(entry: Entry): void {
    if (entry.isAdded) return;
    entry.isAdded = true;
    this.#pending.push(entry);
  }

  #entryOf(pointer: string, context: Context): Entry {
    const { anchors, hidden, isBranch } = context;
    const isPlain = anchors.size === 0 && hidden.size === 0 && !isBranch;
    const key = isPlain
      ? pointer
      : `${pointer} ${JSON.stringify([[...anchors], [...hidden].sort(), isBranch])}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry = { id: `schema:/${this.#entries.size}`, pointer, context, isAdded: false };
    this.#entries.set(key, entry);
    return entry;
  }
}

/**
 * Tells every error by its place and what was expected there.
 *
 * @param where what the pointers are relative to: `''` for the body, else a parameter's name
 */
export function describeErrors(errors: readonly ErrorObject[], where: string): string {
  return joinMessages(new Set(errors.map((error) => where + describeError(error))));
}

/** Not cut inside a surrogate pair: half of one is invalid JSON for strict parsers. */
function shortened(error: string): string {
  return error.slice(0, MAX_ERROR_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** @returns the errors in one line, each once, no more and no longer than a person reads */
export function joinMessages(errors: ReadonlySet<string>): string {
  const messages = [...errors].slice(0, MAX_ERRORS).map(shortened);
  if (errors.size > messages.length) messages.push(`and ${errors.size - messages.length} more`);
  return messages.join('; ');
}

function describeError({ instancePath, keyword, params, message = '' }: ErrorObject): string {
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
