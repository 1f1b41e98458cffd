// The statuses of an older contract.
import { Problem } from '@stubwright/contract';

// An import of node:http would load undici, which takes 25 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** @returns the error with the status that the older contract has for its own */
export function inOlderStatus(error: Problem, statuses: Readonly<Record<number, number>>): Problem {
  const status = statuses[error.status];
  if (status === undefined || status === error.status) return error;
  const isOwnTitle = error.title !== STATUS_CODES[error.status];
  return copyOf(error, { status, title: isOwnTitle ? error.title : undefined });
}

/** @returns the error with the cause that the log has, unless it has one */
export function withCause(error: Problem, cause: unknown): Problem {
  if (error.cause !== undefined) return error;
  return copyOf(error, { cause, number: error.number, title: error.title });
}

interface Changed {
  readonly status?: number;
  readonly number?: number | undefined;
  readonly title: string | undefined;
  readonly cause?: unknown;
}

function copyOf(error: Problem, { status, number, title, cause }: Changed): Problem {
  const { headers, type, members, violations } = error;
  const known = cause ?? error.cause;
  return new Problem(status ?? error.status, error.message, {
    ...{ headers, type, members, violations },
    ...(number !== undefined && { number }),
    ...(title !== undefined && { title }),
    ...(known !== undefined && { cause: known }),
  });
}

/** @returns a line for each status that no response has */
export function statusErrors(statuses: Readonly<Record<number, number>>): string[] {
  return Object.entries(statuses).flatMap(([newer, older]) => {
    const isStatus = (each: number) => Number.isInteger(each) && each >= 200 && each <= 599;
    // The body of an error is written in the format of errors.
    const isError = (each: number) => each >= 400;
    const isValid = isStatus(Number(newer)) && isStatus(older);
    if (isValid && isError(Number(newer)) === isError(older)) return [];
    return [`statuses: got ${newer}: ${older}, expected two statuses below 400, or two of errors`];
  });
}
