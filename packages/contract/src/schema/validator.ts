// Validators of the schemas of one contract, and the messages of their errors.

import type { ContractDocument } from '../document/contractDocument.ts';
import { memo } from '../document/memo.ts';
import type { Node } from '../document/node.ts';
import { COMPOSITIONS, COUNTS, PART_KEYWORDS, SAME_VALUE } from '../document/vocabulary.ts';
import { alternativeKeysOf } from './discriminator.ts';
import {
  Evaluation,
  Location,
  MAX_ERRORS,
  MORE,
  type SchemaError,
  SchemaErrors,
  shortened,
} from './evaluation.ts';
import { type Direction, hiddenNames, isBinary, type Schema, SchemaModel } from './model.ts';
import { numericSchema } from './numeric.ts';
import { valueKey } from './rules/alternatives.ts';
import { compileSchema } from './rules/compile.ts';
import type { JsonSchema, ReferencedSchema, Rule } from './rules/rule.ts';

/** Validates values of one schema. The time is linear in the size of the value. */
export interface Validate {
  /** @param evaluation of a value that contains this one, to share its results */
  (value: unknown, evaluation?: Evaluation): boolean;
  /** @returns the errors of an invalid value, limited in number and length */
  errorsOf(value: unknown): readonly SchemaError[];
}

/** A schema in a context, translated and compiled when it is first used. */
class Entry implements ReferencedSchema {
  readonly #translate: () => JsonSchema;
  #schema: JsonSchema | undefined;
  #rule: Rule | undefined;
  #validate: Validate | undefined;

  constructor(translate: () => JsonSchema) {
    this.#translate = translate;
  }

  get schema(): JsonSchema {
    this.#schema ??= this.#translate();
    return this.#schema;
  }

  get rule(): Rule {
    this.#rule ??= compileSchema(this.schema);
    return this.#rule;
  }

  get validate(): Validate {
    this.#validate ??= validatorOf(this.rule);
    return this.#validate;
  }
}

/** The validators of one contract for one direction. */
export class Validators {
  static readonly #shared = new WeakMap<ContractDocument, Map<Direction, Validators>>();
  readonly direction: Direction;
  readonly model: SchemaModel;
  readonly #translator: SchemaTranslator;
  readonly #entries = new Map<string, Entry>();
  readonly #branches = new Map<Schema, Map<Schema, Validate>>();

  constructor(
    definition: ContractDocument,
    direction: Direction,
    options: TranslationOptions = {},
  ) {
    this.direction = direction;
    this.model = SchemaModel.of(definition);
    const referTo: ReferTo = (to, context) => this.#entryOf(to.pointer, context);
    this.#translator = new SchemaTranslator(direction, referTo, options);
  }

  /** @returns the validators of a contract, which are created once */
  static of(definition: ContractDocument, direction: Direction): Validators {
    const shared = memo(Validators.#shared, definition, () => new Map<Direction, Validators>());
    return memo(shared, direction, () => new Validators(definition, direction));
  }

  /** @returns the validator of the schema at `pointer`, compiled at the first call */
  at(pointer: string): Validate {
    return this.#entryOf(pointer, NO_CONTEXT).validate;
  }

  /** @returns the validator of an alternative or of the condition of the schema `of` */
  branch(schema: Schema, of: Schema): Validate {
    const known = this.#branches.get(of)?.get(schema);
    if (known !== undefined) return known;
    const context = { ...NO_CONTEXT, hidden: hiddenNames(of, this.direction), isBranch: true };
    const entry = this.#entryOf(schema.pointer, contextAt(schema, context, this.direction));
    memo(this.#branches, of, () => new Map<Schema, Validate>()).set(schema, entry.validate);
    return entry.validate;
  }

  #entryOf(pointer: string, context: Context): Entry {
    const { anchors, hidden, isBranch } = context;
    const isPlain = anchors.size === 0 && hidden.size === 0 && !isBranch;
    const key = isPlain
      ? pointer
      : `${pointer} ${JSON.stringify([[...anchors], [...hidden].sort(), isBranch])}`;
    const translate = () => this.#translator.translate(this.model.at(pointer)!, context);
    return memo(this.#entries, key, () => new Entry(translate));
  }
}

const TOO_DEEP: SchemaError = {
  ...{ pointer: '', keyword: 'depth', message: 'expected less nesting', value: undefined },
};

function validatorOf(rule: Rule): Validate {
  const validate = (value: unknown, evaluation = new Evaluation(value)) => {
    try {
      return evaluation.isValid(rule, value);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  };
  const errorsOf = (value: unknown): readonly SchemaError[] => {
    const errors = new SchemaErrors(value);
    try {
      rule.report(value, new Location(), errors);
      // A rule that refers to itself reports nothing.
      return errors.all.length > 0 ? errors.all : [TOO_DEEP];
    } catch (error) {
      if (error instanceof RangeError) return [TOO_DEEP];
      throw error;
    }
  };
  return Object.assign(validate, { errorsOf });
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
  /** The violated keyword of JSON Schema; `style` for a malformed parameter. */
  readonly keyword?: string;
  /** The parameter that contains the part. */
  readonly parameter?: ParameterName | undefined;
}

interface ParameterName {
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
}

/** @returns the errors of a body, a parameter or a header as violations */
export function violationsOf(
  errors: readonly SchemaError[],
  where: string,
  parameter?: ParameterName,
): Violation[] {
  return errors.map((error) => ({ where: error === MORE ? '' : where, parameter, ...error }));
}

/** @returns one line: `query parameter limit expected integer`, `/name is required` */
export function describeViolation({ where, pointer, message }: Violation): string {
  return [where, pointer, message].filter((part) => part !== '').join(' ');
}

/**
 * @param where prefix of the JSON pointers: `''` for the body, else the name of the parameter
 * @returns one line that reports each error with its JSON pointer and the expectation
 */
export function describeErrors(errors: readonly SchemaError[], where: string): string {
  const messages = violationsOf(errors, '').map((violation) =>
    violation.message === MORE.message ? MORE.message : where + describeViolation(violation),
  );
  return joinMessages(new Set(messages));
}

/** @returns the errors in one line, limited in number and length */
export function joinMessages(errors: ReadonlySet<string>): string {
  const isMore = errors.has(MORE.message);
  const distinct = [...errors].filter((message) => message !== MORE.message);
  const messages = distinct.slice(0, MAX_ERRORS).map(shortened);
  if (isMore || distinct.length > messages.length) messages.push(MORE.message);
  return messages.join('; ');
}

/** The context that changes the meaning of a schema; each context is compiled separately. */
export interface Context {
  /** The dynamic scope (JSON Schema 2020-12, section 8.2.3.2): anchor -> pointer of the outermost schema. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Properties that an enclosing composition hides in this direction. */
  readonly hidden: ReadonlySet<string>;
  /** True in oneOf, anyOf, not and if: a hidden property keeps its schema, which may distinguish branches. */
  readonly isBranch: boolean;
}

const NO_CONTEXT: Context = { anchors: new Map(), hidden: new Set(), isBranch: false };

/** @returns the schema `to`, in a context */
type ReferTo = (to: Schema, context: Context) => ReferencedSchema;

/** The keywords that are copied. */
const COPIED = ['pattern', 'format', ...COUNTS, 'dependentRequired'];

/** Encodings -> formats. */
const FORMATS: Readonly<Record<string, string>> = { base64: 'byte', base64url: 'base64url' };

interface TranslationOptions {
  /** True to enforce `contentEncoding` as the format of the same name; by default it is an annotation. */
  readonly assertsEncoding?: boolean;
}

/** Translates the schemas of one contract; `referTo` translates references. */
class SchemaTranslator {
  readonly #direction: Direction;
  readonly #referTo: ReferTo;
  readonly #options: TranslationOptions;

  constructor(direction: Direction, referTo: ReferTo, options: TranslationOptions) {
    this.#direction = direction;
    this.#referTo = referTo;
    this.#options = options;
  }

  /** @returns the schema as JSON Schema 2020-12 with the keywords numeric, allowed, distinctItems and binary */
  translate(schema: Schema, context: Context): JsonSchema {
    const anchors = new Map([...schema.dynamicAnchors, ...context.anchors]);
    return this.#translate(schema, { ...context, anchors });
  }

  #translate(schema: Schema, outer: Context): JsonSchema {
    if (schema.isNever) return false;
    const hidden = new Set([...outer.hidden, ...hiddenNames(schema, this.#direction)]);
    const context = { ...outer, hidden, anchors: anchorsIn(schema, outer) };
    const translated = {
      ...(this.#options.assertsEncoding ? encodingFormat(schema) : {}),
      ...ownKeywords(schema, hidden),
      ...this.#inPlace(schema, context),
      ...this.#parts(schema, context),
    };
    return schema.isNullable ? { anyOf: [{ type: ['null'] }, translated] } : translated;
  }

  #reference(target: Schema, context: Context): Node {
    return { $ref: this.#referTo(target, contextAt(target, context, this.#direction)) };
  }

  /** Resolves `$dynamicRef` in the dynamic scope. */
  #dynamicReference(schema: Schema, context: Context): Node[] {
    const { dynamicAnchor, dynamicRefs, model } = schema;
    const [target] = dynamicRefs;
    if (target === undefined) return [];
    const outermost = dynamicAnchor === undefined ? undefined : context.anchors.get(dynamicAnchor);
    const dynamicTarget = outermost === undefined ? target : model.at(outermost)!;
    return [this.#reference(dynamicTarget, context)];
  }

  /** Applicators for the same instance, which inherit the hidden properties. */
  #inPlace(schema: Schema, context: Context): Node {
    const translated = schema.ref === undefined ? {} : this.#reference(schema.ref, context);
    const branch = { ...context, isBranch: true };
    for (const keyword of SAME_VALUE) {
      const inner = schema.child(keyword);
      if (inner !== undefined) translated[keyword] = this.#translate(inner, branch);
    }
    for (const keyword of COMPOSITIONS) {
      const inside = keyword === 'allOf' ? context : branch;
      const list = schema.list(keyword).map((inner) => this.#translate(inner, inside));
      if (keyword === 'allOf') list.push(...this.#dynamicReference(schema, context));
      if (list.length > 0) translated[keyword] = list;
    }
    const discriminator = alternativeKeysOf(schema);
    if (discriminator !== undefined) translated.discriminator = discriminator;
    const dependent = [...schema.map('dependentSchemas')].map(([name, schema]) => {
      return [name, this.#translate(schema, branch)];
    });
    if (dependent.length > 0) translated.dependentSchemas = Object.fromEntries(dependent);
    return translated;
  }

  /** Applicators for properties and items. */
  #parts(schema: Schema, context: Context): Node {
    const { anchors, hidden, isBranch } = context;
    const part = (schema: Schema) => this.#translate(schema, { ...NO_CONTEXT, anchors });
    const translated: Node = {};
    for (const keyword of PART_KEYWORDS) {
      const inner = schema.child(keyword);
      if (inner !== undefined) translated[keyword] = part(inner);
    }
    const prefix = schema.list('prefixItems');
    if (prefix.length > 0) translated.prefixItems = prefix.map(part);
    for (const keyword of ['properties', 'patternProperties'] as const) {
      const entries = [...schema.map(keyword)].map(([name, schema]): [string, JsonSchema] => {
        const isIgnored = keyword === 'properties' && hidden.has(name) && !isBranch;
        return [name, isIgnored ? true : part(schema)];
      });
      if (entries.length > 0) translated[keyword] = Object.fromEntries(entries);
    }
    return translated;
  }
}

/** A subschema with `$id` is another schema resource: it adds its anchors to the dynamic scope. */
function anchorsIn(schema: Schema, { anchors }: Context): ReadonlyMap<string, string> {
  if (schema.keywords.$id === undefined || schema.dynamicAnchors.size === 0) return anchors;
  return new Map([...schema.dynamicAnchors, ...anchors]);
}

function encodingFormat({ keywords: { contentEncoding } }: Schema): Node {
  const format = FORMATS[contentEncoding];
  return format === undefined ? {} : { format };
}

function ownKeywords(schema: Schema, hidden: ReadonlySet<string>): Node {
  const { types, keywords } = schema;
  const translated: Node = {};
  for (const keyword of COPIED) {
    if (keywords[keyword] !== undefined) translated[keyword] = keywords[keyword];
  }
  if (keywords.required !== undefined) {
    translated.required = keywords.required.filter((name: string) => !hidden.has(name));
  }
  if (keywords.uniqueItems === true) translated.distinctItems = true;
  const allowed = allowedValues(keywords);
  if (allowed !== undefined) translated.allowed = allowed;
  const numeric = numericSchema(schema);
  if (numeric?.format !== undefined) delete translated.format;
  if (numeric !== undefined) translated.numeric = numeric;
  if (numeric === undefined && types !== undefined) translated.type = [...types];
  return isBinary(schema) ? binarySchema(translated, types!.has('null')) : translated;
}

/** @returns the values that `enum` and `const` allow; undefined without these keywords */
function allowedValues({ enum: values, const: value }: Node): readonly unknown[] | undefined {
  if (value === undefined) return Array.isArray(values) ? values : undefined;
  const key = valueKey(value);
  return Array.isArray(values) ? values.filter((other) => valueKey(other) === key) : [value];
}

function binarySchema({ type: _, format: __, ...schema }: Node, isNullable: boolean): Node {
  return { ...schema, binary: isNullable };
}

/** @returns the part of a context that affects a schema, to reduce the number of contexts */
export function contextAt(target: Schema, context: Context, direction: Direction): Context {
  const { anchors, hidden, isBranch } = context;
  const own = hiddenNames(target, direction);
  if (hidden.size === 0) return { anchors, hidden, isBranch: isBranch && own.size > 0 };
  const used = namesIn(target, new Set());
  const names = [...hidden].filter((name) => !own.has(name) && used.has(name));
  return {
    anchors,
    hidden: new Set(names),
    isBranch: isBranch && own.size + names.length > 0,
  };
}

/** @returns the property names that a schema and its in-place applicators declare or require */
function namesIn(schema: Schema, seen: Set<Schema>): Set<string> {
  if (seen.has(schema)) return new Set();
  seen.add(schema);
  return new Set([
    ...schema.map('properties').keys(),
    ...(schema.keywords.required ?? []),
    ...schema.inPlace.flatMap((inner) => [...namesIn(inner, seen)]),
  ]);
}
