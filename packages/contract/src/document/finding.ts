// A finding at a location of a contract, as data.

/** A position in a file; line and column start at 1. */
export interface Position {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A message about a location of a contract. */
export interface Located {
  /** Undefined for the whole contract. */
  readonly position: Position | undefined;
  /** `error  expectation` */
  readonly message: string;
  /** A stable name of the rule. */
  readonly code?: string;
}

export interface Finding extends Located {
  /** An `error` fails the command. */
  readonly level: 'error' | 'warning' | 'note';
  /** A stable id. */
  readonly rule: string;
}

/** @returns `file:line:column  error  expectation` */
export function textOf({ position, message }: Located): string {
  return position === undefined ? message : `${positionText(position)}  ${message}`;
}

/** @returns `file:line:column` */
export function positionText({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** An error of a contract, and the operations that it affects. */
export interface ContractError extends Located {
  /** Each as `get /toys`; empty if no operation refers to the error. */
  readonly operations: readonly string[];
  /** True if the operation can be mocked: unknown security scheme, duplicate operationId. */
  readonly isMockable: boolean;
  /** What errors at several locations have in common: they are one warning. */
  readonly cause?: string | undefined;
}

/** The errors of a contract; `message` has one line per error. */
export class ContractErrors extends Error {
  override readonly name = 'ContractErrors';
  /** Each as `file:line:column  error  expectation`. */
  readonly errors: readonly string[];
  readonly located: readonly Located[];

  /** @param errors a string is one without position; each is reported once */
  constructor(errors: readonly (string | Located)[]) {
    const all = errors.map((error): Located => {
      if (typeof error === 'string') return { position: undefined, message: error };
      return { position: error.position, message: error.message };
    });
    const located = [...new Map(all.map((error) => [textOf(error), error])).values()];
    const texts = located.map(textOf);
    super(texts.join('\n'));
    this.errors = texts;
    this.located = located;
  }
}
