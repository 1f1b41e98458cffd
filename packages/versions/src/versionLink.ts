// The contract of a served version, whose operations call those of the next newer version.
import {
  type Contract,
  chain,
  type Operation,
  type Problem,
  type Schema,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import type { ConvertedRequest, Exchange, HandlerReply } from 'stubwright/internals';
import { ComponentConversions, type ConvertValue } from './componentConversion.ts';
import { ConverterErrors } from './converterErrors.ts';
import { converterWith } from './converterSteps.ts';
import type { NewerOperations, SchemaConverter, VersionConverters } from './converters.ts';
import type { Level } from './level.ts';
import { LinkOperation, withMediaType } from './linkOperation.ts';
import { operationPairs } from './operationPairs.ts';
import { inOlderStatus, statusErrors } from './statuses.ts';

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
      ...Object.entries(schemas).flatMap(([name, each]) => this.#schemaErrors(name, each)),
      ...statusErrors(statuses),
    ];
    return lines.map((each) => `version ${this.version}: ${each}`);
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
    const known = this.#operations.get(operationId);
    if (known !== undefined) return known;
    const older = this.definition.operations.find((each) => each.operationId === operationId);
    if (older === undefined)
      throw new TypeError(`version ${this.version} has no operation ${operationId}`);
    const { operations = {}, statuses = {} } = this.#converters;
    const operation = new LinkOperation({
      older,
      newer: this.#pairs.get(operationId),
      converter: operations[operationId] ?? {},
      errors: new ConverterErrors(this.version, operationId),
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
      const own = async (request: ConvertedRequest): Promise<HandlerReply> => {
        const whole = { headers: sent.headers, ...withMediaType(operation, request) };
        return chain(call(sent, operationId, whole), (reply) => reply);
      };
      return [operationId, own] as const;
    });
    return Object.fromEntries(entries);
  }

  #schemaErrors(name: string, converter: SchemaConverter): string[] {
    const toNew = converter.toNew ?? converter.toNewSteps;
    const toOld = converter.toOld ?? converter.toOldSteps;
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
  const all = Object.entries(schemas).flatMap(([name, each]) => {
    const component = components.get(name);
    const convert = converterWith(each[direction], each[`${direction}Steps`]);
    return component && convert ? [[component, convert] as const] : [];
  });
  return new Map(all);
}
