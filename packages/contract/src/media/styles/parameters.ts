// Deserializes, validates and coerces the parameters of one operation.
import type { IncomingHttpHeaders } from 'node:http';
import type { Contract } from '../../operations/contract.ts';
import type { Header, Parameter } from '../../operations/describedValues.ts';
import type { Coercions } from '../../schema/coercion.ts';
import {
  describeViolation,
  joinMessages,
  type Validators,
  type Violation,
} from '../../schema/validator.ts';
import {
  compileParameter,
  NO_PAIRS,
  NO_PARAMETERS,
  newParameterValues,
  type ParameterReader,
  type ParameterValues,
  readParameter,
  type Sent,
  setParameter,
  violation,
  type Where,
} from './parameter.ts';
import { cookiePairs, Pairs, pairsOf, plainCookiePairs } from './parameterText.ts';

export class Parameters {
  readonly #readers: readonly ParameterReader[];
  /** Names of API keys in the query. */
  readonly #credentialNames: ReadonlySet<string>;
  /** True for `in: querystring` (OpenAPI 3.2). */
  readonly #isQueryWhole: boolean;

  constructor(
    definition: Contract,
    parameters: readonly Parameter[],
    validators: Validators,
    coercions: Coercions,
  ) {
    this.#readers = parameters
      .filter((parameter) => !parameter.isReserved)
      .map((parameter) => {
        return compileParameter(
          parameter,
          { name: parameter.name, where: parameter.in },
          validators,
          coercions,
        );
      });
    this.#isQueryWhole = parameters.some((parameter) => parameter.in === 'querystring');
    const schemes = [...definition.securitySchemes.values()];
    this.#credentialNames = new Set(
      schemes.filter((scheme) => scheme.in === 'query').map(({ name }) => name),
    );
  }

  /** The same as `violations`. @returns one message per parameter with errors */
  read(exchange: SentParameters): string[] {
    return describeViolations(this.violations(exchange));
  }

  /** Sets the parameters of the exchange. @returns one violation per error */
  violations(exchange: SentParameters): Violation[] {
    if (this.#readers.length === 0 && exchange.queryText === '') {
      exchange.parameters = NO_PARAMETERS;
      return [];
    }
    const sent = new SentParts(exchange, this.#credentialNames);
    const { values, violations } = readAll(this.#readers, sent);
    exchange.parameters = values;
    return this.#isQueryWhole ? violations : violations.concat(undeclared(sent.query));
  }

  /**
   * For a request that was not sent, such as one that was converted from another contract.
   *
   * @param given the values; those that are not declared are left out
   * @returns the values with defaults, and one violation per error
   */
  accept(given: GivenParameters): ReadParameters {
    const values = newParameterValues();
    const violations: Violation[] = [];
    for (const parameterReader of this.#readers) {
      setParameter(
        parameterReader,
        givenValue(given[parameterReader.where], parameterReader),
        values,
        violations,
      );
    }
    return { values, violations };
  }
}

interface ReadParameters {
  readonly values: ParameterValues;
  readonly violations: Violation[];
}

/** Values by location and name. */
type GivenParameters = {
  readonly [At in Where]?: Readonly<Record<string, unknown>> | undefined;
};

/** The names of headers ignore case. */
function givenValue(
  given: Readonly<Record<string, unknown>> = {},
  { name, where }: Pick<ParameterReader, 'name' | 'where'>,
): unknown {
  if (Object.hasOwn(given, name) || where !== 'header') return given[name];
  const key = Object.keys(given).find(
    (candidate) => candidate.toLowerCase() === name.toLowerCase(),
  );
  return key === undefined ? undefined : given[key];
}

/** The parts of a request that contain parameters, and their values. */
interface SentParameters {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly queryText: string;
  parameters: ParameterValues;
}

/** @returns one line per parameter, header or body */
export function describeViolations(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return [];
  const groups = Map.groupBy(violations, ({ where }) => where);
  return Array.from(groups.values(), (group) =>
    joinMessages(new Set(group.map(describeViolation))),
  );
}

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
    { params, headers, queryText }: Omit<SentParameters, 'parameters'>,
    credentialNames: ReadonlySet<string>,
  ) {
    this.params = params;
    this.headers = headers;
    this.query = queryText === '' ? NO_PAIRS : new Pairs(pairsOf(queryText), credentialNames);
    this.queryText = withoutNames(queryText, credentialNames);
  }

  get cookies(): Pairs {
    this.#cookies ??= new Pairs(cookiePairs(this.headers.cookie));
    return this.#cookies;
  }

  get plainCookies(): Pairs {
    this.#plainCookies ??= new Pairs(plainCookiePairs(this.headers.cookie));
    return this.#plainCookies;
  }
}

function readAll(readers: readonly ParameterReader[], sent: Sent): ReadParameters {
  const values = newParameterValues();
  const violations: Violation[] = [];
  for (const parameterReader of readers) readParameter(parameterReader, sent, values, violations);
  return { values, violations };
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

const NO_NAMES: ReadonlySet<string> = new Set();

export class DeclaredHeaders {
  readonly #headers: readonly ParameterReader[];

  /** @param declared by name @param validators for responses */
  constructor(declared: ReadonlyMap<string, Header>, validators: Validators, coercions: Coercions) {
    this.#headers = Array.from(declared, ([name, header]) => {
      const compiled = compileParameter(header, { name, where: 'header' }, validators, coercions);
      return { ...compiled, title: `header ${name}`, default: undefined };
    });
  }

  /** @returns the values by declared name */
  read(headers: IncomingHttpHeaders): {
    values: Record<string, unknown>;
    violations: Violation[];
  } {
    const sent = new SentParts({ params: {}, headers, queryText: '' }, NO_NAMES);
    const { values, violations } = readAll(this.#headers, sent);
    return { values: values.header, violations };
  }
}
