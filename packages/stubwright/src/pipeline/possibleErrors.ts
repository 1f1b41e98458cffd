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
import { Samples } from '@stubwright/mock/samples';
import { isConditionalRead, isConditionalWrite } from '../conditional/conditionalOperation.ts';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import { ErrorWriter, missingHeaders } from '../response/errorWriter.ts';
import { Replies } from '../response/reply.ts';
import { ErrorBodies } from './errorBodies.ts';

/** An error response that differs from the contract. */
export interface ErrorFinding {
  /** JSON pointer of the response, or of the `responses` that lack it. */
  readonly pointer: string;
  readonly message: string;
  /** Set if the operation declares no response for these statuses. */
  readonly undeclared?: UndeclaredErrors;
}

export interface UndeclaredErrors {
  readonly operationId: string;
  readonly statuses: readonly number[];
}

const CHALLENGE = 'Bearer realm="api"';

/** @returns one error per status that the engine may send for the operation */
function possibleErrors(operation: Operation): Problem[] {
  const { security, requestBody, idempotency } = operation;
  const hasBody = requestBody !== undefined;
  const key = idempotency?.parameter.name;
  const isSecured = security.length > 0;
  const isOptional = !isSecured || security.some((each) => Object.keys(each).length === 0);
  const hasScopes = security.some((each) => Object.values(each).flat().length > 0);
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
export function errorFindings(definition: Contract, format?: ErrorFormat): ErrorFinding[] {
  const validators = new Validators(definition, 'response');
  const replies = new Replies(definition, validators);
  const writing = {
    bodies: new ErrorBodies(new Samples(validators)),
    writer: new ErrorWriter(format),
  };
  const findings = definition.operations.flatMap((each) => findingsOf(each, replies, writing));
  // Operations share responses.
  return [...new Map(findings.map((each) => [each.pointer + each.message, each])).values()];
}

/** What the body of an error is made from. */
interface Writing {
  readonly bodies: ErrorBodies;
  readonly writer: ErrorWriter;
}

function findingsOf(operation: Operation, replies: Replies, writing: Writing): ErrorFinding[] {
  const { operationId, pointer: ofOperation, responses } = operation;
  const isUndeclared304 = isConditionalRead(operation) && responses.for(304) === undefined;
  const undeclared: number[] = isUndeclared304 ? [304] : [];
  const findings: ErrorFinding[] = [];
  for (const error of possibleErrors(operation)) {
    const { status } = error;
    const response = replies.of(operation).responseOf(status);
    if (response === undefined) {
      undeclared.push(status);
      continue;
    }
    const { pointer } = responses.for(status)!;
    const defect = defectOf(error, response, writing);
    if (defect === undefined) continue;
    findings.push({ pointer, message: `response ${status}: ${defect}` });
  }
  if (undeclared.length === 0) return findings;
  const pointer = `${ofOperation}/responses`;
  const message = undeclaredText(operationId, undeclared);
  return [...findings, { pointer, message, undeclared: { operationId, statuses: undeclared } }];
}

/** @param operations the operationId, or how many there are */
export function undeclaredText(operations: string, statuses: readonly number[]): string {
  return `${operations}: the engine may send ${statuses.join(', ')}, expected declared responses or default`;
}

/** @returns how the response of the engine differs from the declared one; undefined if it does not */
function defectOf(
  error: Problem,
  response: CompiledResponse,
  { bodies, writer }: Writing,
): string | undefined {
  if (missingHeaders(error, response).length > 0) {
    return 'the engine does not send the required headers';
  }
  if (response.contents.size === 0) return 'it has no content: the message is only logged';
  const written = writer.write(error, response, undefined, (...args) => bodies.of(...args));
  if (written === undefined) return 'no valid body was found: the engine sends another schema';
  return written === 'unknown' || written.hasMessage
    ? undefined
    : 'the schema has no room for a message: it is only logged';
}
