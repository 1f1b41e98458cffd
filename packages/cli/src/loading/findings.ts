// What the check of a contract finds at a location, as data.
import { escapeToken } from '@stubwright/contract';
import { pointerOf, type Visit } from './walk.ts';

export interface Issue {
  /** The innermost visited value that has the location. */
  readonly visit: Visit;
  /** A stable name of the rule. */
  readonly code: string;
  readonly isError: boolean;
  /** As in ContractError. */
  readonly isMockable?: boolean;
  /** JSON pointer in the file. */
  readonly pointer: string;
  /** True for the key of the value. */
  readonly isKey?: boolean;
  /** `error  expectation` */
  readonly message: string;
  /** What errors at several locations have in common. */
  readonly cause?: string | undefined;
}

export type ReportIssue = (issue: Issue) => void;

interface At {
  /** The keys below the visited value. */
  readonly keys?: readonly string[];
  readonly isKey?: boolean;
  readonly isMockable?: boolean;
  readonly cause?: string | undefined;
}

/** Reports at a visited value, or below it. */
export class Reporter {
  readonly #report: ReportIssue;
  readonly #code: string;

  constructor(report: ReportIssue, code: string) {
    this.#report = report;
    this.#code = code;
  }

  error(visit: Visit, message: string, at: At = {}): void {
    this.#add(visit, message, true, at);
  }

  /** At a key by default. */
  warning(visit: Visit, message: string, at: At = {}): void {
    this.#add(visit, message, false, at);
  }

  #add(visit: Visit, message: string, isError: boolean, { keys = [], ...at }: At): void {
    const below = keys.map((key) => `/${escapeToken(key)}`).join('');
    const pointer = pointerOf(visit) + below;
    this.#report({ code: this.#code, isError, visit, pointer, message, ...at });
  }
}
