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
import type { Authenticated } from './engineResponse.ts';
import { compiledSteps } from './servedOperation.ts';
import type { OperationStep, StepParts } from './step.ts';
import { STEPS } from './steps.ts';

/** @returns the security of the operations of one contract, compiled at their first requests */
export function authenticatorOf(
  parts: StepParts,
): (operation: Operation, sent: Exchange) => Authenticated {
  const steps = STEPS.filter((step): step is OperationStep => 'authenticates' in step);
  const compiled = onceFor((operation: Operation) => ({
    run: compiledSteps(steps, operation, parts),
    credentialHeaders: headersOf(operation, parts.definition),
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

function headersOf({ security }: Operation, { securitySchemes }: Contract): string[] | undefined {
  if (security.length === 0) return undefined;
  const names = security.flatMap(Object.keys);
  const headers = names.flatMap((name) => securitySchemes.get(name)?.header ?? []);
  return [...new Map(headers.map((each) => [each.toLowerCase(), each])).values()];
}
