// Compares responses with the contract, and records the declared ones.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import type { Contract, Operation } from '@stubwright/contract';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import {
  type CheckedItem,
  type CheckedResponse,
  ResponseCheck,
  type UndeclaredProperties,
} from '../response/responseCheck.ts';
import { ContractViolation } from './contractViolation.ts';

export interface RecordOptions {
  readonly undeclaredProperties?: UndeclaredProperties | undefined;
  /** Of the record; undefined for none. */
  readonly folder: string | undefined;
  /** Of a sequence. */
  readonly maxItems: number;
}

type Bytes = ReadableStream<Uint8Array>;
type Fail = (violations: readonly Violation[]) => ContractViolation;

export class RecordedResponses {
  /** Each as `getToy 200 application/json`. */
  readonly seen = new Set<string>();
  readonly #check: ResponseCheck;
  readonly #folder: string | undefined;

  readonly #maxItems: number;

  constructor(
    definition: Contract,
    { undeclaredProperties = 'report', folder, maxItems }: RecordOptions,
  ) {
    this.#maxItems = maxItems;
    this.#check = new ResponseCheck(definition, undeclaredProperties);
    this.#folder = folder;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
  }

  /** @throws {ContractViolation} for a response that the contract does not allow */
  async check(operation: Operation, method: string, response: Response): Promise<CheckedResponse> {
    const { status, headers } = response;
    const read = this.#check.sequence(operation, { status, headers });
    const bytes =
      read === undefined ? Buffer.from(await response.clone().arrayBuffer()) : undefined;
    const checked = await this.#check.check(operation, method, { status, headers, bytes });
    if (checked.declaredAs !== undefined) this.#record(checked.declaredAs);
    const fail = failing(operation, status, bytes?.toString() ?? '');
    if (checked.violations.length > 0) throw fail(checked.violations);
    if (read === undefined || response.body === null || method === 'HEAD') return checked;
    return { ...checked, body: this.#items(read(response.body as Bytes), fail) };
  }

  /** @throws {ContractViolation} for an invalid item */
  async *#items(
    items: AsyncGenerator<CheckedItem, void, undefined>,
    fail: Fail,
  ): AsyncGenerator<unknown, void, undefined> {
    let left = this.#maxItems;
    for await (const { value, violations } of items) {
      if (violations.length > 0) throw fail(violations);
      yield value;
      if (--left === 0) return;
    }
  }

  #record(name: string): void {
    if (this.seen.has(name)) return;
    this.seen.add(name);
    // A file for each process: test runners have several.
    if (this.#folder !== undefined)
      appendFileSync(join(this.#folder, `${process.pid}`), `${name}\n`);
  }

  /** @returns the declared responses that were not received */
  unseen(): string[] {
    return this.#check.declared.filter((name) => !this.seen.has(name));
  }
}

function failing({ operationId }: Operation, status: number, text: string): Fail {
  return (violations) =>
    new ContractViolation(operationId, status, violations.map(describeViolation), text);
}
