// The error of a response that the contract does not allow.

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
