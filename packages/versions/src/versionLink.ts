// The contract of a served version, whose operations call those of the next newer version, and the chain of all.
import {
  type Contract,
  ContractErrors,
  chain,
  type LoadedContract,
  type Operation,
  type Problem,
  type Schema,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import type {
  CallOperation,
  ConvertedRequest,
  Engine,
  Exchange,
  HandlerReply,
} from 'stubwright/internals';
import type { ServedEntry } from './configuration.ts';
import {
  inOlderStatus,
  memberErrors,
  type NewerOperations,
  runConverterOf,
  type SchemaConverter,
  statusErrors,
  type VersionConverters,
} from './converters.ts';
import { LinkOperation, withMediaType } from './linkOperation.ts';
import { ComponentConversions, type ConvertValue } from './valueConversion.ts';

export interface Level {
  /** `info.version`, or the name of the served version. */
  readonly version: string;
  readonly definition: Contract;
  readonly call: CallOperation;
  /** @returns the operation of the current contract; undefined for one that it does not have */
  currentOperation(operationId: string): string | undefined;
  /**
   * @returns the steps that a request passes before its body is read; undefined for an operation with the
   *   converter `call`, whose calls pass them
   */
  entry(operationId: string): ReturnType<Engine['entry']> | undefined;
  /** @returns an error of the current contract with the status of this one */
  inOwnStatus(error: Problem): Problem;
}

/** @returns by operationId of the older contract: the same operationId, else the same method and path */
export function operationPairs(older: Contract, newer: Contract): ReadonlyMap<string, Operation> {
  const byId = new Map(newer.operations.map((operation) => [operation.operationId, operation]));
  const byRoute = new Map(newer.operations.map((operation) => [routeOf(operation), operation]));
  const pairs = older.operations.map((operation) => {
    return [
      operation.operationId,
      byId.get(operation.operationId) ?? byRoute.get(routeOf(operation)),
    ] as const;
  });
  return new Map(pairs.flatMap(([id, pair]) => (pair === undefined ? [] : [[id, pair] as const])));
}

/** The names of path parameters make no difference. */
function routeOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

export interface VersionLinkOptions {
  readonly version: string;
  readonly definition: Contract;
  readonly converters: VersionConverters;
  readonly newer: Level;
}

/** The conversions of the values of one contract, in one direction. */
export interface Conversions {
  readonly validators: Validators;
  readonly components: ComponentConversions;
}

/** @param contract the older one for `toNew`, the newer one for `toOld` */
export function conversionsOf(
  direction: 'toNew' | 'toOld',
  { schemas = {} }: VersionConverters,
  contract: Contract,
): Conversions {
  const validators = new Validators(contract, direction === 'toNew' ? 'request' : 'response');
  const components = new ComponentConversions(
    validators,
    inDirection(direction, schemas, contract),
  );
  return { validators, components };
}

export class VersionLink implements Level {
  readonly version: string;
  readonly definition: Contract;
  readonly #newer: Level;
  readonly #converters: VersionConverters;
  readonly #pairs: ReadonlyMap<string, Operation>;
  readonly #requests: Conversions;
  readonly #replies: Conversions;
  readonly #operations = new Map<string, LinkOperation>();

  constructor({ version, definition, converters, newer }: VersionLinkOptions) {
    this.version = version;
    this.definition = definition;
    this.#newer = newer;
    this.#converters = converters;
    this.#pairs = operationPairs(definition, newer.definition);
    this.#requests = conversionsOf('toNew', converters, definition);
    this.#replies = conversionsOf('toOld', converters, newer.definition);
  }

  /** One line for each converter that is missing or belongs to nothing. */
  get errors(): string[] {
    const { schemas = {}, operations = {}, statuses = {} } = this.#converters;
    const declared = new Set(this.definition.operations.map(({ operationId }) => operationId));
    const missing = [...declared].filter(
      (id) => !this.#pairs.has(id) && operations[id]?.call === undefined,
    );
    const lines = [
      ...missing.map(
        (id) => `${id} is not in ${this.#newer.version}, expected operations.${id}.call`,
      ),
      ...Object.keys(operations)
        .filter((id) => !declared.has(id))
        .map((id) => `operations.${id}: the contract has no such operation`),
      ...Object.entries(schemas).flatMap(([name, schema]) => this.#schemaErrors(name, schema)),
      ...memberErrors(this.#converters),
      ...statusErrors(statuses),
    ];
    return lines.map((line) => `version ${this.version}: ${line}`);
  }

  currentOperation(operationId: string): string | undefined {
    const newer = this.#pairs.get(operationId);
    return newer && this.#newer.currentOperation(newer.operationId);
  }

  entry(operationId: string): ReturnType<Level['entry']> {
    const newer = this.#pairs.get(operationId);
    const hasCall = this.#converters.operations?.[operationId]?.call !== undefined;
    return newer === undefined || hasCall ? undefined : this.#newer.entry(newer.operationId);
  }

  inOwnStatus(error: Problem): Problem {
    return inOlderStatus(this.#newer.inOwnStatus(error), this.#converters.statuses ?? {});
  }

  readonly call: Level['call'] = (sent, operationId, request) =>
    this.#operation(operationId).call(sent, request);

  #operation(operationId: string): LinkOperation {
    const cached = this.#operations.get(operationId);
    if (cached !== undefined) return cached;
    const older = this.definition.operations.find(
      (operation) => operation.operationId === operationId,
    );
    if (older === undefined)
      throw new TypeError(`version ${this.version} has no operation ${operationId}`);
    const { operations = {}, statuses = {} } = this.#converters;
    const operation = new LinkOperation({
      older,
      newer: this.#pairs.get(operationId),
      converter: operations[operationId] ?? {},
      run: runConverterOf(this.version, operationId),
      statuses,
      requests: this.#requests,
      replies: this.#replies,
      call: this.#newer.call,
      operationsFor: (sent) => this.#operationsFor(sent),
    });
    this.#operations.set(operationId, operation);
    return operation;
  }

  /** They authorize and validate as for a request of their own. */
  #operationsFor(sent: Exchange): NewerOperations {
    const { definition, call } = this.#newer;
    const entries = definition.operations.map((operation) => {
      const { operationId } = operation;
      const handler = async (request: ConvertedRequest): Promise<HandlerReply> => {
        const whole = { headers: sent.headers, ...withMediaType(operation, request) };
        return chain(call(sent, operationId, whole), (reply) => reply);
      };
      return [operationId, handler] as const;
    });
    return Object.fromEntries(entries);
  }

  #schemaErrors(name: string, converter: SchemaConverter): string[] {
    const { toNew, toOld } = converter;
    const missingIn = (contract: Contract, converter: string, version: string) =>
      contract.schemas.has(name)
        ? []
        : [`schemas.${name}.${converter}: no component of ${version}`];
    return [
      ...(toNew === undefined ? [] : missingIn(this.definition, 'toNew', this.version)),
      ...(toOld === undefined
        ? []
        : missingIn(this.#newer.definition, 'toOld', this.#newer.version)),
    ];
  }
}

/** @returns the converters by component of the contract */
function inDirection(
  direction: 'toNew' | 'toOld',
  schemas: NonNullable<VersionConverters['schemas']>,
  contract: Contract,
): ReadonlyMap<Schema, ConvertValue> {
  const components = contract.schemas;
  const all = Object.entries(schemas).flatMap(([name, schema]) => {
    const component = components.get(name);
    const convert = schema[direction] as ConvertValue | undefined;
    return component && convert ? [[component, convert] as const] : [];
  });
  return new Map(all);
}

/** The dependencies of a served version. */
export interface VersionSource {
  readonly contract: LoadedContract;
  readonly converters: VersionConverters;
}

export type LoadVersion = (entry: ServedEntry) => Promise<VersionSource>;

export interface ChainLink {
  readonly link: VersionLink;
  readonly contract: LoadedContract;
}

/** @returns opens a version once: each converts to the next one, the last to the current contract */
export function versionChain(
  entries: readonly ServedEntry[],
  load: LoadVersion,
  current: Level,
): (version: string) => Promise<ChainLink> {
  const links = new Map<string, Promise<ChainLink>>();
  const open = async (at: number): Promise<ChainLink> => {
    const next = entries[at + 1];
    const newer = next === undefined ? current : (await linkOf(next.version)).link;
    const { contract, converters } = await load(entries[at]!);
    const { version } = entries[at]!;
    const link = new VersionLink({ version, definition: contract.definition, converters, newer });
    if (link.errors.length > 0) throw new ContractErrors(link.errors);
    return { link, contract };
  };
  const linkOf = (version: string) => {
    const opened =
      links.get(version) ?? open(entries.findIndex((entry) => entry.version === version));
    links.set(version, opened);
    return opened;
  };
  return linkOf;
}
