// What an application declares for a served version: its converters, their order and their errors.
import {
  errorFrom,
  InvalidReply,
  type MaybePromise,
  Problem,
  type ProblemOptions,
  reasonPhrase,
  withError,
} from '@stubwright/contract';
import type { ConvertedRequest, HandlerReply } from 'stubwright/internals';

/** Converts the values of one component of `components.schemas`. */
export interface SchemaConverter {
  /** Called for each value of the component in a request, components within it first. */
  readonly toNew?: (value: never) => unknown;
  /** Called for each value of the component in a reply, components within it first. */
  readonly toOld?: (value: never) => unknown;
  /** The properties, or values of an enum, that do not arrive as they were: for `stubwright replay`. */
  readonly loses?: readonly string[];
}

/** The operations of the next newer version, by operationId. Requests as for their handlers. */
export type NewerOperations = Readonly<
  Record<string, (request: ConvertedRequest) => Promise<HandlerReply>>
>;

/** Converts what the converters of components do not. Each receives what they have converted. */
export interface OperationConverter {
  /** @returns the parts of the request that differ */
  readonly request?: (request: never) => MaybePromise<ConvertedRequest>;
  readonly reply?: (reply: never) => MaybePromise<HandlerReply>;
  /** Of a stream. @returns undefined to leave the item out */
  readonly item?: (item: never) => unknown;
  /** Instead of the other three: for an operation that the newer version does not have. */
  readonly call?: (request: never, operations: never) => MaybePromise<HandlerReply>;
  /** The parameters and properties that do not arrive as they were: for `stubwright replay`. */
  readonly loses?: readonly string[];
}

const SCHEMA_MEMBERS: Readonly<Record<keyof SchemaConverter, true>> = {
  ...{ toNew: true, toOld: true, loses: true },
};
const OPERATION_MEMBERS: Readonly<Record<keyof OperationConverter, true>> = {
  ...{ request: true, reply: true, item: true, call: true, loses: true },
};

/** From one served version to the next newer one, and back. `Converters` in the generated types is exact. */
export interface VersionConverters {
  /** By the name of the component: for `toNew` in the older contract, for `toOld` in the newer one. */
  readonly schemas?: Readonly<Record<string, SchemaConverter>>;
  /** By the operationId of the older contract. */
  readonly operations?: Readonly<Record<string, OperationConverter>>;
  /** Statuses of the newer contract -> of the older one. */
  readonly statuses?: Readonly<Record<number, number>>;
}

/**
 * Runs a converter of one operation of one version.
 *
 * @param converter `request`, `reply` or `item`
 * @throws {InvalidReply} with the cause; a Problem of the application is its response
 */
export type RunConverter = <T>(
  converter: string,
  convert: () => MaybePromise<T>,
) => MaybePromise<T>;

/** @returns a function whose errors have the names of the version and of the operation */
export function runConverterOf(version: string, operationId: string): RunConverter {
  return (converter, convert) =>
    withError(convert, (thrown) => {
      if (thrown instanceof Problem) return thrown;
      const cause = errorFrom(thrown);
      const message = `version ${version}: ${operationId}: the ${converter} converter failed: ${cause.message}`;
      return new OlderVersionReply(message, { cause });
    });
}

/** An invalid reply whose message names the version. */
export class OlderVersionReply extends InvalidReply {}

/** @returns the error with the status that the older contract has for its own */
export function inOlderStatus(error: Problem, statuses: Readonly<Record<number, number>>): Problem {
  const status = statuses[error.status];
  if (status === undefined || status === error.status) return error;
  const isOwnTitle = error.title !== reasonPhrase(error.status);
  return copyOf(error, status, isOwnTitle ? { title: error.title } : {});
}

/** @returns the error with the cause that the log has, unless it has one */
export function withCause(error: Problem, cause: unknown): Problem {
  const { number, title } = error;
  return error.cause === undefined ? copyOf(error, error.status, { cause, number, title }) : error;
}

function copyOf(error: Problem, status: number, changed: ProblemOptions): Problem {
  const { message, headers, type, members, violations, cause } = error;
  const options = { headers, type, members, violations, ...(cause !== undefined && { cause }) };
  return new Problem(status, message, { ...options, ...changed });
}

/** @returns a line for each member of a converter that nothing would call */
export function memberErrors({ schemas = {}, operations = {} }: VersionConverters): string[] {
  const unknownIn = (path: string, converters: object, members: object) =>
    Object.entries(converters).flatMap(([name, converter]: [string, object]) =>
      Object.keys(converter)
        .filter((member) => !Object.hasOwn(members, member))
        .map(
          (member) => `${path}.${name}: got ${member}, expected ${Object.keys(members).join(', ')}`,
        ),
    );
  return [
    ...unknownIn('schemas', schemas, SCHEMA_MEMBERS),
    ...unknownIn('operations', operations, OPERATION_MEMBERS),
  ];
}

/** @returns a line for each status that no response has */
export function statusErrors(statuses: Readonly<Record<number, number>>): string[] {
  return Object.entries(statuses).flatMap(([newer, older]) => {
    const isStatus = (number: number) => Number.isInteger(number) && number >= 200 && number <= 599;
    // The body of an error is written in the format of errors.
    const isError = (number: number) => number >= 400;
    const isValid = isStatus(Number(newer)) && isStatus(older);
    if (isValid && isError(Number(newer)) === isError(older)) return [];
    return [`statuses: got ${newer}: ${older}, expected two statuses below 400, or two of errors`];
  });
}
