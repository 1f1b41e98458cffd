// Deserializes, validates and coerces the parameters of one operation.
import { type Definition, isReservedHeader, type Operation } from '@stubwright/contract';
import {
  type Coercions,
  compileParameter,
  cookiePairs,
  NO_PAIRS,
  NO_PARAMETERS,
  newParameterValues,
  Pairs,
  type Parameter,
  pairsOf,
  plainCookiePairs,
  readParameter,
  type Sent,
  type Validators,
  type Violation,
  violation,
} from '@stubwright/contract/values';
import type { Exchange } from './exchange.ts';
import { describeViolations } from './violations.ts';

export class Parameters {
  readonly #parameters: readonly Parameter[];
  /** Names of API keys in the query. */
  readonly #credentialNames: ReadonlySet<string>;
  /** True for `in: querystring` (OpenAPI 3.2). */
  readonly #isQueryWhole: boolean;

  constructor(
    definition: Definition,
    { parameters }: Pick<Operation, 'parameters'>,
    validators: Validators,
    coercions: Coercions,
  ) {
    this.#parameters = parameters
      .filter(({ node }) => !isReservedHeader(node))
      .map((location) => compileParameter(definition, location, validators, coercions));
    this.#isQueryWhole = parameters.some(({ node }) => node.in === 'querystring');
    const schemes = [...definition.securitySchemes.values()];
    this.#credentialNames = new Set(
      schemes.filter(({ node }) => node.in === 'query').map(({ node }) => node.name),
    );
  }

  /** The same as `violations`. @returns one message per parameter with errors */
  read(exchange: SentParameters): string[] {
    return describeViolations(this.violations(exchange));
  }

  /** Sets the parameters of the exchange. @returns one violation per error */
  violations(exchange: SentParameters): Violation[] {
    if (this.#parameters.length === 0 && exchange.queryText === '') {
      exchange.parameters = NO_PARAMETERS;
      return [];
    }
    const sent = new SentParts(exchange, this.#credentialNames);
    const values = newParameterValues();
    const violations: Violation[] = [];
    for (const each of this.#parameters) readParameter(each, sent, values, violations);
    exchange.parameters = values;
    return this.#isQueryWhole ? violations : violations.concat(undeclared(sent.query));
  }
}

type SentParameters = Pick<Exchange, 'params' | 'headers' | 'queryText' | 'parameters'>;

/** The parts of one request. Cookies are parsed when a parameter is read from them. */
class SentParts implements Sent {
  readonly params: Sent['params'];
  readonly headers: Sent['headers'];
  readonly query: Pairs;
  readonly queryText: string;
  #cookies: Pairs | undefined;
  #plainCookies: Pairs | undefined;

  /** @param credentialNames of API keys in the query */
  constructor(
    { params, headers, queryText }: SentParameters,
    credentialNames: ReadonlySet<string>,
  ) {
    this.params = params;
    this.headers = headers;
    this.query = queryText === '' ? NO_PAIRS : new Pairs(pairsOf(queryText), credentialNames);
    this.queryText = withoutNames(queryText, credentialNames);
  }

  get cookies(): Pairs {
    const { cookie } = this.headers;
    this.#cookies ??= cookie === undefined ? NO_PAIRS : new Pairs(cookiePairs(cookie));
    return this.#cookies;
  }

  get plainCookies(): Pairs {
    const { cookie } = this.headers;
    this.#plainCookies ??= cookie === undefined ? NO_PAIRS : new Pairs(plainCookiePairs(cookie));
    return this.#plainCookies;
  }
}

function undeclared(query: Pairs): Violation[] {
  if (query === NO_PAIRS) return [];
  const of = (keyword: string, name: string, message: string, value?: unknown): Violation => ({
    ...violation(`query parameter ${name}`, message, value),
    keyword,
    parameter: { in: 'query', name },
  });
  const malformed = Array.from(query.malformed, (name) =>
    of('style', name, 'expected percent-encoded UTF-8'),
  );
  const unknown = query
    .rest()
    .map(([name, [value]]) => of('additionalProperties', name, 'is not declared', value));
  return [...malformed, ...unknown];
}

function withoutNames(queryText: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return queryText;
  const pairs = queryText.split('&');
  return pairs.filter((pair) => !names.has(pair.split('=', 1)[0]!)).join('&');
}
