// Compares the errors that the engine may send with the responses that a contract declares.

import {
  type Contract,
  conditionFailed,
  contentTooLarge,
  contractViolation,
  credentialsMissing,
  idempotencyKeyInUse,
  idempotencyKeyReused,
  internalError,
  type Operation,
  type Problem,
  scopesMissing,
  tooManyRequests,
  unavailable,
  unsupportedMediaType,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { isConditionalRead, isConditionalWrite } from '../conditional/conditions.ts';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import { ErrorWriter } from '../response/errorWriter.ts';
import { Replies } from '../response/reply.ts';
import { missingHeaders } from './failures.ts';

/** An error response that differs from the contract. */
export interface ErrorFinding {
  /** JSON pointer of the response, or of the `responses` that lack it. */
  readonly pointer: string;
  readonly message: string;
  /** Set if the operation declares no response for these statuses. */
  readonly undeclared?: { readonly operationId: string; readonly statuses: readonly number[] };
}

const CHALLENGE = 'Bearer realm="api"';

/** @returns one error per status that the engine may send for the operation */
function possibleErrors(operation: Operation): Problem[] {
  const { security, requestBody, idempotency } = operation;
  const hasBody = requestBody !== undefined;
  const key = idempotency?.parameter.name;
  const isSecured = security.length > 0;
  const isOptional = !isSecured || security.some((schemes) => Object.keys(schemes).length === 0);
  const hasScopes = security.some((schemes) => Object.values(schemes).flat().length > 0);
  return [
    contractViolation('/id expected an int64 integer'),
    isOptional ? [] : credentialsMissing(CHALLENGE),
    hasScopes ? scopesMissing(CHALLENGE) : [],
    hasBody ? [contentTooLarge(1_048_576), unsupportedMediaType('application/json')] : [],
    isConditionalWrite(operation) ? conditionFailed('If-Match') : [],
    key === undefined ? [] : [idempotencyKeyInUse(key), idempotencyKeyReused(key)],
    isSecured ? tooManyRequests(1, '"caller";r=0;t=1', '"caller";q=1;w=1') : [],
    internalError(),
    unavailable('try again', 1),
  ].flat();
}

/** @param format of the application; by default problem details */
export async function errorFindings(
  definition: Contract,
  format?: ErrorFormat,
): Promise<ErrorFinding[]> {
  const validators = Validators.of(definition, 'response');
  const replies = new Replies(definition, validators);
  const writer = new ErrorWriter(validators, format);
  // Operations share responses.
  const findings = new Map<string, ErrorFinding>();
  const add = (finding: ErrorFinding) => findings.set(finding.pointer + finding.message, finding);
  for (const operation of definition.operations) {
    const { operationId, responses } = operation;
    const isUndeclared304 = isConditionalRead(operation) && responses.for(304) === undefined;
    const statuses: number[] = isUndeclared304 ? [304] : [];
    for (const error of possibleErrors(operation)) {
      const { status } = error;
      const response = replies.of(operation).responseOf(status);
      const defect = response && (await defectOf(error, response, writer));
      if (response === undefined) statuses.push(status);
      if (defect === undefined) continue;
      add({ pointer: responses.for(status)!.pointer, message: `response ${status}: ${defect}` });
    }
    if (statuses.length === 0) continue;
    add({
      pointer: `${operation.pointer}/responses`,
      message: undeclaredText(operationId, statuses),
      undeclared: { operationId, statuses },
    });
  }
  return [...findings.values()];
}

/** @param operations the operationId, or how many there are */
export function undeclaredText(operations: string, statuses: readonly number[]): string {
  return `${operations}: the engine may send ${statuses.join(', ')}, expected declared responses or default`;
}

/** @returns how the response of the engine differs from the declared one; undefined if it does not */
async function defectOf(
  error: Problem,
  response: CompiledResponse,
  writer: ErrorWriter,
): Promise<string | undefined> {
  if (missingHeaders(error, response).length > 0) {
    return 'the engine does not send the required headers';
  }
  if (response.contents.size === 0) return 'it has no content: the message is only logged';
  const written = await writer.write(error, response, undefined);
  if (written === undefined) return 'no valid body was found: the engine sends another schema';
  return written.hasMessage ? undefined : 'the schema has no room for a message: it is only logged';
}
