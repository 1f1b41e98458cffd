// Validators of the schemas of one contract, and the messages of their errors.

import type { ContractDocument } from '../document/contractDocument.ts';
import { memo, once } from '../document/memo.ts';
import {
  Evaluation,
  Location,
  MAX_ERRORS,
  MORE,
  type SchemaError,
  SchemaErrors,
  shortened,
} from './evaluation.ts';
import { type Direction, hiddenNames, type Schema, SchemaModel } from './model.ts';
import {
  type CompilerOptions,
  type Context,
  contextAt,
  NO_CONTEXT,
  SchemaCompiler,
} from './rules/compile.ts';
import type { Rule } from './rules/rule.ts';

/** Validates values of one schema. The time is linear in the size of the value. */
export interface Validate {
  /** @param evaluation of a value that contains this one, to share its results */
  (value: unknown, evaluation?: Evaluation): boolean;
  /** @returns the errors of an invalid value, limited in number and length */
  errorsOf(value: unknown): readonly SchemaError[];
}

/** A schema in a context, compiled when it is first used. */
interface Entry {
  readonly rule: () => Rule;
  readonly validate: () => Validate;
}

/** The validators of one contract for one direction. */
export class Validators {
  static readonly #shared = new WeakMap<ContractDocument, Map<Direction, Validators>>();
  readonly direction: Direction;
  readonly model: SchemaModel;
  readonly #compiler: SchemaCompiler;
  readonly #entries = new Map<string, Entry>();
  readonly #branches = new Map<Schema, Map<Schema, Validate>>();

  constructor(definition: ContractDocument, direction: Direction, options?: CompilerOptions) {
    this.direction = direction;
    this.model = SchemaModel.of(definition);
    const ruleOf = ({ pointer }: Schema, context: Context) => this.#entryOf(pointer, context).rule;
    this.#compiler = new SchemaCompiler(direction, ruleOf, options);
  }

  /** @returns the validators of a contract, which are created once */
  static of(definition: ContractDocument, direction: Direction): Validators {
    const shared = memo(Validators.#shared, definition, () => new Map<Direction, Validators>());
    return memo(shared, direction, () => new Validators(definition, direction));
  }

  /** @returns the validator of the schema at `pointer`, compiled at the first call */
  at(pointer: string): Validate {
    return this.#entryOf(pointer, NO_CONTEXT).validate();
  }

  /** @returns the validator of an alternative or of the condition of the schema `of` */
  branch(schema: Schema, of: Schema): Validate {
    const known = this.#branches.get(of)?.get(schema);
    if (known !== undefined) return known;
    const context = { ...NO_CONTEXT, hidden: hiddenNames(of, this.direction), isBranch: true };
    const entry = this.#entryOf(schema.pointer, contextAt(schema, context, this.direction));
    const validate = entry.validate();
    memo(this.#branches, of, () => new Map<Schema, Validate>()).set(schema, validate);
    return validate;
  }

  #entryOf(pointer: string, context: Context): Entry {
    const { anchors, hidden, isBranch } = context;
    const isPlain = anchors.size === 0 && hidden.size === 0 && !isBranch;
    const key = isPlain
      ? pointer
      : `${pointer} ${JSON.stringify([[...anchors], [...hidden].sort(), isBranch])}`;
    return memo(this.#entries, key, () => {
      const rule = once(() => this.#compiler.compile(this.model.at(pointer)!, context));
      return { rule, validate: once(() => validatorOf(rule())) };
    });
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
