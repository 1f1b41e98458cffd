// Compares responses with the contract, and records the declared ones.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, Operation } from '../document/definition.ts';
import {
  type CheckedResponse,
  ResponseCheck,
  type UndeclaredProperties,
} from '../response/responseCheck.ts';
import { describeViolation } from '../schema/validator.ts';
import { ContractViolation } from './contractViolation.ts';

export class RecordedResponses {
  /** Each as `getToy 200 application/json`. */
  readonly seen = new Set<string>();
  readonly #check: ResponseCheck;
  readonly #folder: string | undefined;

  /** @param folder of the record; undefined for none */
  constructor(
    definition: Definition,
    undeclaredProperties: UndeclaredProperties,
    folder: string | undefined,
  ) {
    this.#check = new ResponseCheck(definition, undeclaredProperties);
    this.#folder = folder;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
  }

  /** @throws {ContractViolation} for a response that the contract does not allow */
  async check(operation: Operation, method: string, response: Response): Promise<CheckedResponse> {
    const bytes = Buffer.from(await response.clone().arrayBuffer());
    const { status, headers } = response;
    const checked = await this.#check.check(operation, method, { status, headers, bytes });
    if (checked.declaredAs !== undefined) this.#record(checked.declaredAs);
    if (checked.violations.length === 0) return checked;
    const violations = checked.violations.map(describeViolation);
    throw new ContractViolation(operation.operationId, status, violations, bytes.toString());
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
