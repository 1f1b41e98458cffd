// A finding at a location of a contract, as data.

/** A position in a file; line and column start at 1. */
export interface Position {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Finding {
  /** An `error` fails the command. */
  readonly level: 'error' | 'warning' | 'note';
  /** A stable id. */
  readonly rule: string;
  readonly message: string;
  /** Undefined for the whole contract. */
  readonly position: Position | undefined;
}
