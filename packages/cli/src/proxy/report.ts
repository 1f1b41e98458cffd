// Collects the violations that a proxy observes: a log line for each, and a summary.

import { type Direction, stringifyJson } from '@stubwright/contract';
import { countOf, printable } from '@stubwright/contract/printable';
import type { Violation } from '@stubwright/contract/values';

/** One operation, direction, location and rule. */
export interface ReportedViolation {
  /** The operationId, or the method and the path of a request that is not in the contract. */
  readonly operation: string;
  readonly direction: Direction;
  /** `status`, `path`, `credentials`, `query parameter limit`, `header Retry-After`, `body /items/0`. */
  readonly location: string;
  readonly message: string;
  /** The first value: a scalar, or a description of an array or object. Null if nothing was sent. */
  readonly value: unknown;
  readonly count: number;
}

export interface Summary {
  readonly violations: readonly ReportedViolation[];
  readonly requests: number;
  /** Bodies that were not validated: too large, in an unknown content coding, or without memory. */
  readonly unvalidated: number;
  /** Requests without a complete response of the service. */
  readonly failed: number;
}

/** Further distinct violations are only counted, since clients choose paths and property names. */
const MAX_DISTINCT = 1_000;
const MAX_VALUE_LENGTH = 100;
const MAX_LINE_LENGTH = 600;

export class Report {
  readonly #log: (line: string) => void;
  readonly #groups = new Map<string, ReportedViolation & { count: number }>();
  #others = 0;
  requests = 0;
  unvalidated = 0;
  failed = 0;

  /** @param log receives each line without a line break */
  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  get hasViolations(): boolean {
    return this.#groups.size > 0;
  }

  add(operation: string, direction: Direction, violations: readonly Violation[]): void {
    for (const { where, pointer, message, value } of violations) {
      const location = [where || 'body', pointer].filter((part) => part !== '').join(' ');
      const shown = preview(value);
      const got = shown === undefined ? '' : `, got ${stringifyJson(shown)}`;
      this.line(`${operation} ${direction}: ${location} ${message}${got}`);
      // The items of an array have the same rule.
      const key = [operation, direction, location.replace(/\/\d+(?=\/|$)/g, '/*'), message];
      this.#count(key.join('\n'), {
        ...{ operation, direction, location, message },
        value: shown ?? null,
        count: 0,
      });
    }
  }

  /** Logs one line: clients choose the values. */
  line(text: string): void {
    this.#log(cut(printable(text), MAX_LINE_LENGTH));
  }

  get summary(): Summary {
    const { requests, unvalidated, failed } = this;
    const violations = [...this.#groups.values()].sort((a, b) => b.count - a.count);
    return { violations, requests, unvalidated, failed };
  }

  /** @returns the summary for a person */
  get text(): string {
    const { violations, requests, unvalidated, failed } = this.summary;
    const total = violations.reduce((sum, { count }) => sum + count, this.#others);
    const lines = violations.map(
      ({ operation, direction, location, message, value, count }) =>
        `  ${count} × ${operation} ${direction}: ${location} ${message}${value === null ? '' : `, got ${stringifyJson(value)}`}`,
    );
    const found =
      total === 0 ? 'no violations' : `${countOf(total, 'violation')}, ${lines.length} distinct`;
    const notes = [
      ...(unvalidated > 0 ? [`${countOf(unvalidated, 'body', 'bodies')} not validated`] : []),
      ...(failed > 0 ? [`${failed} without a complete response`] : []),
    ];
    const more = this.#others > 0 ? [`  and ${this.#others} more`] : [];
    return [[countOf(requests, 'request'), found, ...notes].join(', '), ...lines, ...more].join(
      '\n',
    );
  }

  #count(key: string, violation: ReportedViolation): void {
    const known = this.#groups.get(key);
    if (known !== undefined) known.count++;
    else if (this.#groups.size < MAX_DISTINCT) this.#groups.set(key, { ...violation, count: 1 });
    else this.#others++;
  }
}

function preview(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_VALUE_LENGTH);
  if (Array.isArray(value)) return `an array of ${countOf(value.length, 'item')}`;
  if (value instanceof Uint8Array || value instanceof Blob) return 'bytes';
  if (typeof value === 'number') return exact(value);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).slice(0, 10).join(', ');
  return cut(names === '' ? 'an empty object' : `an object with ${names}`, MAX_VALUE_LENGTH);
}

/** JavaScript prints 2 ** 63 as 9223372036854776000, and uses an exponent from 1e21 on. */
function exact(value: number): number | bigint {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && Math.abs(value) < 1e21 ? BigInt(value) : value;
}

/** Does not divide a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
