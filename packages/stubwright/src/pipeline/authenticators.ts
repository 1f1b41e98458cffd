// Authenticates requests that another engine may handle.
import { type Contract, chain, type MaybePromise, type Operation } from '@stubwright/contract';
import { ConvertedExchange } from '../request/convertedExchange.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Authenticated } from './engineResponse.ts';
import { compiledSteps } from './servedOperation.ts';
import type { OperationStep, RequestSteps, Run, StepParts } from './step.ts';

interface Compiled {
  readonly run: Run;
  readonly credentialHeaders: readonly string[] | undefined;
}

/** The security of the operations of one contract. Nothing is compiled before the first request. */
export class Authenticators {
  readonly #parts: StepParts;
  readonly #steps: readonly OperationStep[];
  readonly #compiled = new Map<Operation, Compiled>();

  constructor(parts: StepParts, steps: RequestSteps) {
    this.#parts = parts;
    this.#steps = steps.filter(
      (step): step is OperationStep => 'authenticates' in step && step.authenticates === true,
    );
  }

  of(operation: Operation, sent: Exchange): Authenticated {
    const { run, credentialHeaders } = this.#compile(operation);
    return {
      credentialHeaders,
      principal() {
        const exchange = new ConvertedExchange(sent, operation);
        const result = run(exchange, undefined as never) as MaybePromise<void>;
        return chain(result, () => exchange.principal);
      },
    };
  }

  #compile(operation: Operation): Compiled {
    const known = this.#compiled.get(operation);
    if (known !== undefined) return known;
    const compiled = {
      run: compiledSteps(this.#steps, operation, this.#parts),
      credentialHeaders: headersOf(operation, this.#parts.definition),
    };
    this.#compiled.set(operation, compiled);
    return compiled;
  }
}

function headersOf({ security }: Operation, { securitySchemes }: Contract): string[] | undefined {
  if (security.length === 0) return undefined;
  const names = security.flatMap(Object.keys);
  const headers = names.flatMap((name) => securitySchemes.get(name)?.header ?? []);
  return [...new Map(headers.map((each) => [each.toLowerCase(), each])).values()];
}
