// Compares the errors that the engine may send with the responses that a contract declares.
import type { Definition, Operation } from '../document/definition.ts';
import { responseFor } from '../document/responses.ts';
import * as problem from '../errors/problem.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import { Replies } from '../response/reply.ts';
import { Preparation } from '../schema/preparation.ts';
import { Validators } from '../schema/validator.ts';
import { ErrorResponses } from './errorResponses.ts';

/** An error response that differs from the contract. */
export interface ErrorFinding {
  /** JSON pointer of the response, or of the `responses` that lack it. */
  readonly pointer: string;
  readonly message: string;
}

const CHALLENGE = 'Bearer realm="api"';

/** @returns one error per status that the engine may send for the operation */
function possibleErrors({ security, requestBody }: Operation): problem.Problem[] {
  const isSecured = security.length > 0;
  const isOptional = !isSecured || security.some((each) => Object.keys(each).length === 0);
  const hasScopes = security.some((each) => Object.values(each).flat().length > 0);
  return [
    problem.contractViolation('/id expected an int64 integer'),
    ...(isOptional ? [] : [problem.credentialsMissing(CHALLENGE)]),
    ...(hasScopes ? [problem.scopesMissing(CHALLENGE)] : []),
    ...(requestBody === undefined
      ? []
      : [problem.contentTooLarge(1_048_576), problem.unsupportedMediaType('application/json')]),
    ...(isSecured ? [problem.tooManyRequests(1, '"caller";r=0;t=1', '"caller";q=1;w=1')] : []),
    problem.internalError(),
    problem.unavailable('try again', 1),
  ];
}

/** @param format of the application; by default problem details */
export function errorFindings(definition: Definition, format?: ErrorFormat): ErrorFinding[] {
  const requests = new Validators(definition, 'request');
  const validators = new Validators(definition, 'response');
  const responses = new ErrorResponses({
    definition,
    replies: new Replies(definition, validators),
    preparation: new Preparation(definition, requests, validators),
    format,
    mock: () => Promise.reject(new Error('no sample is needed')),
    isMocked: () => false,
  });
  const findings = definition.operations.flatMap((each) => findingsOf(each, responses));
  // Operations share responses.
  return [...new Map(findings.map((each) => [each.pointer + each.message, each])).values()];
}

const MESSAGES = {
  empty: 'it has no content: the engine sends no message',
  sample: 'no error format fits the schema: the engine sends a sample with the message',
  'missing headers': 'the engine does not send the required headers',
} as const;

function findingsOf(operation: Operation, errors: ErrorResponses): ErrorFinding[] {
  const { operationId, location, responses } = operation;
  const undeclared: number[] = [];
  const findings: ErrorFinding[] = [];
  for (const each of possibleErrors(operation)) {
    const { status } = each;
    const result = errors.classify(each, operation);
    if (result === 'undeclared') undeclared.push(status);
    else if (result !== 'declared') {
      const { pointer } = responseFor(responses, status)!;
      findings.push({ pointer, message: `response ${status}: ${MESSAGES[result]}` });
    }
  }
  if (undeclared.length === 0) return findings;
  const pointer = `${location.pointer}/responses`;
  const statuses = undeclared.join(', ');
  const message = `${operationId}: the engine may send ${statuses}, expected declared responses or default`;
  return [...findings, { pointer, message }];
}
