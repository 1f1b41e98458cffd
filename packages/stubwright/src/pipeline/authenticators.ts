// Authenticates requests that another engine may handle.
import {
  type Contract,
  chain,
  type MaybePromise,
  type Operation,
  onceFor,
} from '@stubwright/contract';
import { ConvertedExchange } from '../request/convertedExchange.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Authenticated, RequestEntry } from './engineResponse.ts';
import { compiledSteps } from './servedOperation.ts';
import type { OperationStep, StepParts } from './step.ts';
import { STEPS } from './steps.ts';

/** @returns the security of the operations of one contract, compiled at their first requests */
export function authenticatorOf(
  parts: StepParts,
): (operation: Operation, sent: Exchange) => Authenticated {
  const compiled = onceFor((operation: Operation) => ({
    run: compiledSteps([step('authenticates')], operation, parts),
    ...requestEntry(operation, parts),
  }));
  return (operation, sent) => {
    const { run, credentialHeaders } = compiled(operation);
    return {
      credentialHeaders,
      principal() {
        const exchange = new ConvertedExchange(sent, operation);
        const result = run(exchange, undefined as never) as MaybePromise<void>;
        return chain(result, () => exchange.principal);
      },
    };
  };
}

/** @returns the entry of an operation, for a request of an older contract */
export function requestEntry(operation: Operation, parts: StepParts): RequestEntry {
  const { definition, entryOf: entryOfOlder } = parts;
  const known = entryOfOlder?.(operation);
  if (known !== undefined) return known;
  return {
    authenticate: step('authenticates').compile(operation, parts) as RequestEntry['authenticate'],
    admit: step('admits').compile(operation, parts) as RequestEntry['admit'],
    credentialHeaders: headersOf(operation, definition),
  };
}

function step(flag: 'authenticates' | 'admits'): OperationStep {
  return STEPS.find((each): each is OperationStep => flag in each)!;
}

function headersOf({ security }: Operation, { securitySchemes }: Contract): string[] | undefined {
  if (security.length === 0) return undefined;
  const names = security.flatMap(Object.keys);
  const headers = names.flatMap((name) => securitySchemes.get(name)?.header ?? []);
  return [...new Map(headers.map((each) => [each.toLowerCase(), each])).values()];
}
