// Compiles validators with Ajv, and formats their errors.
import type { ErrorObject, FuncKeywordDefinition, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Definition, Node } from '../document/definition.ts';
import { unescapeToken } from '../document/pointer.ts';
import { binaryKeyword } from './binary.ts';
import { formats } from './formats.ts';
import { type Direction, hiddenNames, type Schema, SchemaModel } from './model.ts';
import { numericKeyword } from './numeric.ts';
import { patternForAjv } from './pattern.ts';
import {
  type Context,
  contextAt,
  NO_CONTEXT,
  SchemaTranslator,
  type TranslationOptions,
} from './translate.ts';
import { allowedKeyword, distinctItemsKeyword } from './values.ts';

export type { ValidateFunction } from 'ajv';

/** Maximum number of errors in a message: the response must not be larger than the request. */
const MAX_ERRORS = 50;
const MAX_ERROR_LENGTH = 400;

/** A schema in a context, with its id in Ajv. */
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
  /** Entries that must be added to Ajv before the schema that refers to them is compiled. */
  readonly #pending: Entry[] = [];
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    addUsedSchema: false,
    // Ignores inherited properties such as `constructor`.
    ownProperties: true,
    formats,
    keywords: [
      ...[numericKeyword, allowedKeyword, distinctItemsKeyword, binaryKeyword],
      { keyword: 'laterRef', errors: 'full', compile: (entry: Entry) => this.#later(entry) },
    ],
    logger: false,
    // optimize and inlineRefs would multiply the compile time, which blocks the event loop.
    code: { regExp: patternForAjv, optimize: false },
    inlineRefs: false,
  });

  constructor(definition: Definition, direction: Direction, options: TranslationOptions = {}) {
    this.direction = direction;
    this.model = SchemaModel.of(definition);
    this.#translator = new SchemaTranslator(
      direction,
      (from, to, context) => this.#referTo(from, to, context),
      options,
    );
  }

  /** @returns the validator of the schema at `pointer`, compiled at the first call */
  at(pointer: string): ValidateFunction {
    return this.#compiled(pointer, NO_CONTEXT);
  }

  /** @returns the validator of an alternative or of the condition of the schema `of` */
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
   * Ajv compiles a schema together with all referenced schemas. Recursive references are compiled lazily,
   * which divides the compile time.
   */
  #referTo(from: Schema, to: Schema, context: Context): Node {
    const entry = this.#entryOf(to.pointer, context);
    // Ajv tracks evaluated properties through `$ref`, but not through a custom keyword.
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

/** One violation of the contract in a message. */
export interface Violation {
  /** `query parameter limit`, `header Retry-After`; `''` for the body. */
  readonly where: string;
  /** The JSON pointer of the violating part; `''` for the whole value. */
  readonly pointer: string;
  /** The expectation. */
  readonly message: string;
  /** The violating part; undefined if it is missing or was not read. */
  readonly value: unknown;
}

/** @param value the validated value @returns the distinct violations, limited in number and length */
export function violationsOf(
  errors: readonly ErrorObject[],
  where: string,
  value: unknown,
): Violation[] {
  const located = new Map(errors.map((error) => [describeError(error), error]));
  const violations = [...located.values()].slice(0, MAX_ERRORS).map((error): Violation => {
    const { pointer, message } = locate(error);
    return { where, pointer, message: shortened(message), value: valueAt(value, pointer) };
  });
  const more = located.size - violations.length;
  if (more === 0) return violations;
  return [...violations, { where, pointer: '', message: `and ${more} more`, value: undefined }];
}

/** @returns one line: `query parameter limit expected integer`, `/name is required` */
export function describeViolation({ where, pointer, message }: Violation): string {
  return [where, pointer, message].filter((part) => part !== '').join(' ');
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map(unescapeToken)
    .reduce<unknown>(
      (part, key) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, key)
          ? (part as Record<string, unknown>)[key]
          : undefined,
      value,
    );
}

/**
 * @param where prefix of the JSON pointers: `''` for the body, else the name of the parameter
 * @returns one line that reports each error with its JSON pointer and the expectation
 */
export function describeErrors(errors: readonly ErrorObject[], where: string): string {
  return joinMessages(new Set(errors.map((error) => where + describeError(error))));
}

/** Does not divide a surrogate pair: strict parsers reject a lone surrogate. */
function shortened(error: string): string {
  return error.slice(0, MAX_ERROR_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** @returns the errors in one line, limited in number and length */
export function joinMessages(errors: ReadonlySet<string>): string {
  const messages = [...errors].slice(0, MAX_ERRORS).map(shortened);
  if (errors.size > messages.length) messages.push(`and ${errors.size - messages.length} more`);
  return messages.join('; ');
}

function describeError(error: ErrorObject): string {
  const { pointer, message } = locate(error);
  return pointer === '' ? message : `${pointer} ${message}`;
}

function locate({ instancePath, keyword, params, message = '' }: ErrorObject): {
  pointer: string;
  message: string;
} {
  const here = (text: string) => ({ pointer: instancePath, message: text });
  switch (keyword) {
    case 'required':
      return { pointer: `${instancePath}/${params['missingProperty']}`, message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params[keyword.replace('Properties', 'Property')];
      return { pointer: `${instancePath}/${name}`, message: 'is not declared' };
    }
    case 'false schema':
      return here('is not accepted here');
    case 'type':
      return here(`expected ${[params['type']].flat().join(' or ')}`);
    case 'binary':
      return here('expected a file');
    case 'numeric':
    case 'allowed':
    case 'distinctItems':
      return here(message);
    default:
      return here(message.replace(/^must/, 'expected to'));
  }
}
