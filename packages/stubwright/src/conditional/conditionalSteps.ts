// The steps of conditional requests. An operation without entity tags and conditions has none of them.
import {
  type Contract,
  InvalidReply,
  type Operation,
  once,
  preconditionRequired,
} from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import { discardBody } from '../response/discardBody.ts';
import type { HandlerReply, HttpResponse, Replies } from '../response/reply.ts';
import {
  declaredConditions,
  declaresHeader,
  isConditionalRead,
  isConditionalWrite,
  isRead,
} from './conditionalOperation.ts';
import { CONDITIONS, type ConditionName, conditionsOf, conditionText } from './conditions.ts';
import { preconditionsOf, RequestPreconditions, setPreconditions } from './preconditions.ts';
import { representationTags } from './representationTags.ts';
import { notModified, withEntityTag } from './taggedResponse.ts';

interface Parts {
  readonly definition: Contract;
  readonly replies: Replies;
}

/** Reads the conditions. Those of a read need no declaration: caches send them. */
export function readConditions(operation: Operation, { definition, replies }: Parts) {
  const declared = declaredConditions(operation);
  const applied = isConditionalRead(operation) ? CONDITIONS : declared;
  if (applied.length === 0) return undefined;
  const parameters = new Map(applied.map((name) => [name, operation.parameter('header', name)]));
  const isRequired = (name: ConditionName) => parameters.get(name)?.isRequired === true;
  const required = operation.responses.has('428') ? declared.filter(isRequired) : [];
  const ofRead = isRead(operation);
  const tags = once(() => representationTags(definition, operation, replies));
  return (exchange: Exchange) => {
    const textOf = (name: ConditionName) =>
      parameters.has(name) ? conditionText(exchange, name, parameters.get(name)) : undefined;
    const missing = required.find((name) => textOf(name) === undefined);
    if (missing !== undefined) throw preconditionRequired(missing);
    const isSent = (name: ConditionName) => textOf(name) !== undefined;
    if (declared.length === 0 && !applied.some(isSent)) return;
    const conditions = conditionsOf(textOf, ofRead);
    setPreconditions(
      exchange,
      new RequestPreconditions(conditions, ofRead, (body) => tags()(body)),
    );
  };
}

/** Expects that the handler of a write has compared the conditions of its request. */
export function requireCheck(operation: Operation, { validation }: Replies) {
  if (!isConditionalWrite(operation)) return undefined;
  return (exchange: Exchange, reply: unknown) => {
    const { status = 0 } = (reply ?? {}) as Partial<HandlerReply>;
    const { isChecked, first } = preconditionsOf(exchange)!;
    if (status >= 200 && status < 300 && !isChecked && validation !== 'off') {
      const error = new InvalidReply(
        `${operation.operationId} returned ${status}: the request has ${first}, expected a call of request.preconditions.check`,
      );
      if (validation === 'strict') {
        discardBody(reply);
        throw error;
      }
      exchange.violation = error;
    }
    return reply;
  };
}

/** Adds the entity tag of a success response, and replaces the response to a read by 304. */
export function conditionalResponse(operation: Operation, replies: Replies) {
  const isConditional = isConditionalRead(operation);
  if (!isConditional && !declaresHeader(operation, 'etag')) return undefined;
  const own = replies.of(operation);
  return (exchange: Exchange, response: HttpResponse) => {
    const { status } = response;
    if (status < 200 || status > 299) return response;
    const report = (violation: string) => {
      const error = new InvalidReply(`${operation.operationId} returned ${status}: ${violation}`);
      if (replies.validation === 'strict') throw error;
      if (replies.validation === 'log') exchange.violation = error;
    };
    try {
      const tagged = withEntityTag(response, own.responseOf(status), report);
      const preconditions = isConditional ? preconditionsOf(exchange) : undefined;
      if (preconditions?.isModified(tagged.headers) !== false) return tagged;
      discardBody(response);
      return notModified(tagged, own.responseOf(304));
    } catch (error) {
      discardBody(response);
      throw error;
    }
  };
}
