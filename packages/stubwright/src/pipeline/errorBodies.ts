// Error bodies for schemas that no format fits: the parts of a problem where the schema has room for them, and
// values without meaning for what it requires besides.

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
  type Schema,
  scopesMissing,
  tooManyRequests,
  unavailable,
  unsupportedMediaType,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { Samples } from '@stubwright/mock/samples';
import { isConditionalRead, isConditionalWrite } from '../conditional/conditions.ts';
import type { CompiledResponse, WritableContent } from '../response/compiledResponse.ts';
import {
  type ErrorFormat,
  type ErrorPart,
  type ErrorRoles,
  errorRoles,
  type Path,
} from '../response/errorFormat.ts';
import { ErrorWriter, missingHeaders } from '../response/errorWriter.ts';
import { Replies } from '../response/reply.ts';

/** A body whose parts are replaced for each problem. */
interface Template {
  readonly body: unknown;
  /** Undefined for a body without message. */
  readonly message: Path | undefined;
  readonly others: readonly ErrorPart[];
}

/** Maximum number of searches for one schema, each for another problem that no known template fits. */
const MAX_SEARCHES = 8;

/** The error bodies of one contract. */
export class ErrorBodies {
  readonly #samples: Samples;
  readonly #templates = new Map<Schema, { found: Template[]; searches: number }>();

  /** @param samples for responses */
  constructor(samples: Samples) {
    this.#samples = samples;
  }

  /** @returns a valid body, with the message if the schema has room for it; undefined if there is none */
  of(
    content: WritableContent,
    problem: Problem,
  ): { body: unknown; hasMessage: boolean } | undefined {
    const { schema } = content;
    if (schema === undefined) return undefined;
    const key = schema.ref ?? schema;
    const known = this.#templates.get(key) ?? { found: [], searches: 0 };
    this.#templates.set(key, known);
    const fitting = (withMessage: boolean) => {
      for (const template of known.found) {
        if ((template.message !== undefined) !== withMessage) continue;
        const body = filled(template, problem);
        if (content.isValid(body)) return { body, hasMessage: withMessage };
      }
      return undefined;
    };
    const usual = fitting(true);
    if (usual !== undefined || known.searches === MAX_SEARCHES) return usual ?? fitting(false);
    known.searches++;
    for (const roles of errorRoles(content.shape, problem.message)) {
      const template = this.#search(schema, roles, problem);
      if (template === undefined) continue;
      known.found.push(template);
      return { body: template.body, hasMessage: template.message !== undefined };
    }
    return undefined;
  }

  /** Adds one part after the other: a schema may have no room for some. */
  #search(schema: Schema, { message, others }: ErrorRoles, problem: Problem): Template | undefined {
    const values = new Map<Path, unknown>(message && [[message, problem.message]]);
    let body = this.#samples.least(schema, schemaOf([...values]));
    if (body === undefined) return undefined;
    const kept: ErrorPart[] = [];
    for (const role of others) {
      const value = role.valueOf(problem);
      if (value === undefined) {
        kept.push(role);
        continue;
      }
      values.set(role.path, value);
      const more = this.#samples.least(schema, schemaOf([...values]));
      if (more === undefined) values.delete(role.path);
      else {
        body = more;
        kept.push(role);
      }
    }
    return { body, message, others: kept };
  }
}

/** @returns a schema that requires the values at their paths */
function schemaOf(values: readonly (readonly [Path, unknown])[]): object {
  const [own] = values.filter(([path]) => path.length === 0);
  if (own !== undefined) return { const: own[1] };
  const inner = Map.groupBy(values, ([[step]]) => step!);
  const schemas = [...inner].map(([step, each]) => {
    return [step, schemaOf(each.map(([[, ...path], value]) => [path, value]))] as const;
  });
  const items = schemas.find(([step]) => step === 0);
  if (items !== undefined) return { type: 'array', minItems: 1, items: items[1] };
  if (schemas.length === 0) return {};
  return {
    type: 'object',
    required: schemas.map(([name]) => name),
    properties: Object.fromEntries(schemas),
  };
}

function filled({ body, message, others }: Template, problem: Problem): unknown {
  const copy = { body: structuredClone(body) };
  if (message !== undefined) replace(copy, message, problem.message);
  for (const role of others) replace(copy, role.path, role.valueOf(problem));
  return copy.body;
}

/** @param value undefined removes the property */
function replace(holder: { body: unknown }, path: Path, value: unknown): void {
  const steps = ['body', ...path];
  const last = steps.pop()!;
  let target: Readonly<object> = holder;
  for (const step of steps) {
    const inner: unknown = Reflect.get(target, step);
    // The property may have another type.
    if (typeof inner !== 'object' || inner === null) return;
    target = inner;
  }
  if (value === undefined) Reflect.deleteProperty(target, last);
  else Reflect.set(target, last, value);
}

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
  const validators = Validators.of(definition, 'response');
  const replies = new Replies(definition, validators);
  const writing = {
    bodies: new ErrorBodies(new Samples(validators)),
    writer: new ErrorWriter(format),
  };
  const findings = definition.operations.flatMap((operation) =>
    findingsOf(operation, replies, writing),
  );
  // Operations share responses.
  return [
    ...new Map(findings.map((finding) => [finding.pointer + finding.message, finding])).values(),
  ];
}

/** The source of the body of an error. */
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
