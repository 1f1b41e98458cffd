// Announces deprecated parts to the callers that use them, and refuses them after their sunset.
import { gone, type Operation, once } from '@stubwright/contract';
import type { Validators } from '@stubwright/contract/values';
import type { AnnouncedUse, Exchange } from '../request/exchange.ts';
import { nameIn } from '../response/compiledResponse.ts';
import { deprecationOf, type OperationDeprecation } from './deprecation.ts';

/** What happens to requests that use a part with `x-sunset`. */
export interface SunsetPolicy {
  /** True to respond 410 from the date on. */
  readonly refuses: boolean;
}

/** Who used which deprecated parts. */
export interface DeprecatedUsage {
  /** The name of the principal, or `anonymous`. */
  readonly caller: string;
  /** `operation`, `query parameter limit`, `body /tag`. */
  readonly parts: readonly string[];
  /** The earliest date of the parts, in milliseconds since 1970; undefined without one. */
  readonly sunset: number | undefined;
}

export class Deprecations {
  readonly #validators: Validators;
  readonly #policy: SunsetPolicy | undefined;
  /** Of deprecated operations, for errors before the handler. */
  readonly #operations = new Map<Operation, OperationDeprecation>();

  constructor(validators: Validators, policy: SunsetPolicy | undefined) {
    this.#validators = validators;
    this.#policy = policy;
  }

  /**
   * Returns a step that sets the deprecated parts of a request, and refuses those after their sunset.
   *
   * @returns undefined for an operation whose requests cannot use a deprecated part
   */
  sunset(operation: Operation): ((exchange: Exchange) => void) | undefined {
    if (!mayUseDeprecated(operation)) return undefined;
    if (operation.deprecation !== undefined) {
      this.#operations.set(operation, deprecationOf(operation, this.#validators)!);
    }
    // Compiled at the first request, as the validators are.
    const own = once(() => deprecationOf(operation, this.#validators));
    return (exchange) => {
      const use = own()?.of(exchange);
      if (use === undefined) return;
      exchange.deprecated = use;
      this.#expectServed(use);
    };
  }

  /** @returns undefined for a request that uses no deprecated part */
  usedBy({ deprecated, operation }: Exchange): AnnouncedUse | undefined {
    if (deprecated !== undefined || operation === undefined) return deprecated;
    if (this.#operations.size === 0) return undefined;
    return this.#operations.get(operation)?.unconditional;
  }

  #expectServed({ sunset, parts }: AnnouncedUse): void {
    if (sunset === undefined || !this.#policy?.refuses) return;
    if (Date.now() < sunset) return;
    const due = parts.filter((part) => part.sunset === sunset);
    const names = due.map(({ name }) => name).join(', ');
    throw gone(`${names}: removed on ${new Date(sunset).toISOString().slice(0, 10)}`);
  }
}

/** @returns false for an operation without parts that could be deprecated */
export function mayUseDeprecated({ requestBody, parameters, deprecation }: Operation): boolean {
  return deprecation !== undefined || requestBody !== undefined || parameters.length > 0;
}

export function usageOf({ parts, sunset }: AnnouncedUse, { principal }: Exchange): DeprecatedUsage {
  return { caller: principal?.name ?? 'anonymous', parts: parts.map(({ name }) => name), sunset };
}

/** @returns the headers of a response with those of the use; `Link` is a list (RFC 8288, section 3) */
export function announced(
  headers: Readonly<Record<string, string>>,
  use: AnnouncedUse,
): Readonly<Record<string, string>> {
  const own = nameIn(headers, 'link');
  const { Link } = use.headers;
  if (own === undefined || Link === undefined) return { ...headers, ...use.headers };
  const { [own]: links, ...rest } = headers;
  return { ...rest, ...use.headers, Link: `${links}, ${Link}` };
}
