// One operation with its compiled steps, as openapi-backend calls them.
import { isThenable, type Operation, unavailable } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import { discardBody } from '../response/discardBody.ts';
import type {
  OperationStep,
  RequestSteps,
  Run,
  ServedOperation,
  StepParts,
  StepsOfHook,
} from './step.ts';
import type { Limited } from './timeLimit.ts';

/** @returns the operation with the steps that its requests need */
export function servedOperation(
  operation: Operation,
  parts: StepParts,
  steps: RequestSteps,
): ServedOperation {
  const { path, method, basePaths, operationId } = operation;
  const compiled = (hook: OperationStep['hook']): StepsOfHook => {
    const own = steps.filter((step): step is OperationStep => step.hook === hook);
    return compiledSteps(own, operation, parts) as StepsOfHook;
  };
  return {
    ...{ operation, path, method, basePaths, isMocked: parts.isMocked(operation), responses: {} },
    operationId: `operation ${operationId}`,
    postSecurityHandler: compiled('postSecurityHandler'),
    validator: compiled('validator'),
    operationHandler: compiled('operationHandler'),
  };
}

/** @returns the steps that the requests of an operation need, as one */
export function compiledSteps(
  steps: readonly OperationStep[],
  operation: Operation,
  parts: StepParts,
): Run {
  const groups: { readonly timeLimit: string | undefined; readonly runs: Run[] }[] = [];
  for (const step of steps) {
    const run = step.compile(operation, parts);
    if (run === undefined) continue;
    const last = groups.at(-1);
    if (last !== undefined && last.timeLimit === step.timeLimit) last.runs.push(run);
    else groups.push({ timeLimit: step.timeLimit, runs: [run] });
  }
  const isLimited = parts.timeLimit !== undefined && !parts.isMocked(operation);
  return inOrder(
    groups.map(({ timeLimit, runs }) =>
      timeLimit !== undefined && isLimited
        ? inTime(timeLimit, inOrder(runs), operation, parts)
        : inOrder(runs),
    ),
  );
}

/** Passes the result of each step to the next one. A loop would be slower. */
function inOrder(runs: readonly Run[]): Run {
  if (runs.length === 0) return () => undefined;
  return runs.reduceRight((next, run) => (exchange, value) => {
    const result = run(exchange, value) as never;
    return isThenable(result)
      ? Promise.resolve(result).then((settled) => next(exchange, settled as never))
      : next(exchange, result);
  });
}

/** @param name of the steps, for the log */
function inTime(
  name: string,
  run: Run,
  { operationId }: Operation,
  { timeLimit, disposal, report }: StepParts,
): Run {
  const limited: Limited<Exchange> = {
    isArriving,
    timedOut(timeoutMs, exchange) {
      const cause = new Error(`${operationId}: ${name} did not settle within ${timeoutMs} ms`);
      exchange.timedOut = unavailable('the request was not handled in time', 1, cause);
      exchange.abort('the request was not handled in time');
      return exchange.timedOut;
    },
    // The handler may still use its context.
    discard(reply, exchange) {
      discardBody(reply);
      void disposal.failed(exchange, exchange.timedOut);
    },
    report(error, exchange) {
      if (!exchange.isAbort(error)) report(error);
      void disposal.failed(exchange, exchange.timedOut);
    },
  };
  return (exchange, value) => {
    const result = run(exchange, value);
    return isThenable(result) ? timeLimit!.settled(result, exchange, limited) : result;
  };
}

/** A client may send a body for longer than a handler may take. */
function isArriving({ parsedBody, body }: Exchange): boolean {
  return parsedBody.isStream === true && body.isArriving?.() === true;
}
