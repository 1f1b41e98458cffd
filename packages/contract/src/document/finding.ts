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
