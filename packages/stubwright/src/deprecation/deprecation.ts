// The deprecated parts of an operation, and the response headers that announce them.
import type { ContractObject, Operation, Parameter } from '@stubwright/contract';
import { sentValue, type Validators, type Where } from '@stubwright/contract/values';
import type { AnnouncedUse, Exchange } from '../request/exchange.ts';
import { type DeprecatedPart, DeprecatedValues } from './deprecatedValues.ts';

/** Selects the deprecated parts that a request uses. */
interface UsedParts {
  (exchange: Exchange): readonly DeprecatedPart[];
  /** All that it can select. */
  readonly parts: readonly DeprecatedPart[];
}

/** The deprecated parts of one operation. */
export class OperationDeprecation {
  readonly #always: readonly DeprecatedPart[];
  readonly #readers: readonly UsedParts[];
  /** For a request that no handler has seen. */
  readonly unconditional: AnnouncedUse | undefined;

  constructor(always: readonly DeprecatedPart[], readers: readonly UsedParts[]) {
    this.#always = always;
    this.#readers = readers;
    this.unconditional = useOf(always);
  }

  /** The names of the headers that a response may have. */
  get announcedHeaders(): string[] {
    const parts = [...this.#always, ...this.#readers.flatMap((each) => each.parts)];
    return Object.keys(useOf(parts)?.headers ?? {});
  }

  /** @param exchange with a valid request @returns undefined for a request that uses no deprecated part */
  of(exchange: Exchange): AnnouncedUse | undefined {
    if (this.#readers.length === 0) return this.unconditional;
    return useOf([...this.#always, ...this.#readers.flatMap((read) => read(exchange))]);
  }
}

/** @returns undefined for an operation whose requests have no deprecated part */
export function deprecationOf(
  operation: Operation,
  validators: Validators,
): OperationDeprecation | undefined {
  const { parameters } = operation;
  const own = partsOf('operation', operation);
  const readers = [
    ...parameters.flatMap((parameter) => parameterReader(parameter, validators)),
    ...bodyReader(operation, validators),
  ];
  return own.length + readers.length === 0 ? undefined : new OperationDeprecation(own, readers);
}

/** @returns the part itself if it is deprecated */
function partsOf(name: string, { deprecation }: ContractObject): DeprecatedPart[] {
  return deprecation === undefined ? [] : [{ name, ...deprecation }];
}

function parameterReader(parameter: Parameter, validators: Validators): UsedParts[] {
  const { in: location, name, title } = parameter;
  if (parameter.isReserved) return [];
  const where: Where = location === 'querystring' ? 'query' : location;
  const own = partsOf(title, parameter);
  const values = new DeprecatedValues(parameter.schemas, title, validators);
  const parts = [...own, ...values.parts];
  if (parts.length === 0) return [];
  const read = ({ parameters }: Exchange) => {
    const value = sentValue(parameters, where, name);
    if (value === undefined) return NONE;
    return own.length > 0 ? [...own, ...values.within(value)] : values.of(value);
  };
  return [Object.assign(read, { parts })];
}

const NONE: readonly DeprecatedPart[] = [];

function bodyReader({ request }: Operation, validators: Validators): UsedParts[] {
  const contents = request.map(({ schemas }) => new DeprecatedValues(schemas, 'body', validators));
  const parts = contents.values().flatMap((content) => content.parts);
  if (parts.length === 0) return [];
  const read = ({ parsedBody: { mediaType, isStream, value } }: Exchange) => {
    const selected = isStream === true ? undefined : contents.select(mediaType);
    return selected?.content.within(value) ?? NONE;
  };
  return [Object.assign(read, { parts })];
}

/** @returns undefined without parts */
function useOf(parts: readonly DeprecatedPart[]): AnnouncedUse | undefined {
  if (parts.length === 0) return undefined;
  const since = earliest(parts.map((part) => part.since));
  const sunset = earliest(parts.map((part) => part.sunset));
  const links = [...new Set(parts.flatMap(({ link }) => link ?? []))];
  const headers = {
    // RFC 9745, section 2: seconds since 1970 as a Date of RFC 9651.
    ...(since !== undefined && { Deprecation: `@${Math.floor(since / 1000)}` }),
    // RFC 8594, section 3.
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && {
      Link: links.map((url) => `<${url}>; rel="deprecation"`).join(', '),
    }),
  };
  return { parts, headers, sunset };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
