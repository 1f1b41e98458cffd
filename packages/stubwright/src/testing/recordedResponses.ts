// Compares responses with the contract, and records the declared ones.
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

  constructor(definition: Definition, undeclaredProperties: UndeclaredProperties) {
    this.#check = new ResponseCheck(definition, undeclaredProperties);
  }

  /** @throws {ContractViolation} for a response that the contract does not allow */
  async check(operation: Operation, method: string, response: Response): Promise<CheckedResponse> {
    const bytes = Buffer.from(await response.clone().arrayBuffer());
    const { status, headers } = response;
    const checked = await this.#check.check(operation, method, { status, headers, bytes });
    if (checked.declaredAs !== undefined) this.seen.add(checked.declaredAs);
    if (checked.violations.length === 0) return checked;
    const violations = checked.violations.map(describeViolation);
    throw new ContractViolation(operation.operationId, status, violations, bytes.toString());
  }

  /** @returns the declared responses that were not received */
  unseen(): string[] {
    return this.#check.declared.filter((name) => !this.seen.has(name));
  }
}
