// Compares responses with the contract, and records the declared ones.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import type { Contract, Operation } from '@stubwright/contract';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import { type UnsentReason, unsentReasons } from '../pipeline/failures.ts';
import {
  type CheckedItem,
  type CheckedResponse,
  ResponseCheck,
  type UndeclaredProperties,
} from '../response/responseCheck.ts';
import { warningOnce } from '../response/unsentProperties.ts';

interface RecordOptions {
  readonly undeclaredProperties?: UndeclaredProperties | undefined;
  /** Of the record; undefined for none. */
  readonly folder: string | undefined;
  /** Of a sequence. */
  readonly maxItems: number;
}

type Bytes = ReadableStream<Uint8Array>;
type Fail = (violations: readonly Violation[]) => ContractViolation;

export function recordedResponses(
  definition: Contract,
  { undeclaredProperties = 'report', folder, maxItems }: RecordOptions,
) {
  const check = new ResponseCheck(definition, undeclaredProperties);
  /** Each as `getToy 200 application/json`. */
  const seen = new Set<string>();
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const record = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    // A file for each process: test runners have several.
    if (folder !== undefined) appendFileSync(join(folder, `${process.pid}`), `${name}\n`);
  };
  return {
    seen,
    /** @throws {ContractViolation} for a response that the contract does not allow */
    async check(
      operation: Operation,
      method: string,
      response: Response,
    ): Promise<CheckedResponse> {
      const { status, headers } = response;
      const read = check.sequence(operation, { status, headers });
      const bytes =
        read === undefined ? Buffer.from(await response.clone().arrayBuffer()) : undefined;
      const checked = await check.check(operation, method, { status, headers, bytes });
      if (checked.declaredAs !== undefined) record(checked.declaredAs);
      const fail = failing(operation, status, bytes?.toString() ?? '');
      if (checked.violations.length > 0) throw fail(checked.violations);
      if (read === undefined || response.body === null || method === 'HEAD') return checked;
      return { ...checked, body: validItems(read(response.body as Bytes), fail, maxItems) };
    },
    /** @returns the declared responses that were not received */
    unseen: () => check.declared.filter((name) => !seen.has(name)),
  };
}

/** @throws {ContractViolation} for an invalid item */
async function* validItems(
  items: AsyncGenerator<CheckedItem, void, undefined>,
  fail: Fail,
  maxItems: number,
): AsyncGenerator<unknown, void, undefined> {
  let left = maxItems;
  for await (const { value, violations } of items) {
    if (violations.length > 0) throw fail(violations);
    yield value;
    if (--left === 0) return;
  }
}

function failing({ operationId }: Operation, status: number, text: string): Fail {
  return (violations) =>
    new ContractViolation(operationId, status, violations.map(describeViolation), text);
}

/** Maximum length of the body in a message, in UTF-16 code units. */
const MAX_BODY = 1000;

/** `message` names the operation, the status, and each JSON pointer or header with the expectation. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
  readonly operationId: string;
  readonly status: number;
  /** One message per violation: `/name is required`. */
  readonly violations: readonly string[];

  constructor(operationId: string, status: number, violations: readonly string[], body: string) {
    const shown = body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}…` : body;
    const lines = [`${operationId} responded ${status}: ${violations.join('; ')}`];
    super([...lines, ...(body === '' ? [] : [`body: ${shown}`])].join('\n'));
    this.operationId = operationId;
    this.status = status;
    this.violations = violations;
  }
}

type Respond = (request: Request) => Promise<Response>;

const warnOnce = warningOnce((text) => process.emitWarning(text, 'ContractWarning'));

/** @returns a function that warns once of each message that a response does not have */
export function showingUnsentReasons(respond: Respond): Respond {
  return async (request) => {
    const show = (message: unknown) => warnOnce(textOf(message as UnsentReason));
    unsentReasons.subscribe(show);
    try {
      return await respond(request);
    } finally {
      unsentReasons.unsubscribe(show);
    }
  };
}

function textOf({ operationId = 'a request', status, reason }: UnsentReason): string {
  return `${operationId} responded ${status}, without its message in the body: ${reason}`;
}
