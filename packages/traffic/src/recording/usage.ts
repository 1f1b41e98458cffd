// Which operations, parameters, properties and enum values of a contract recorded requests use.
import type { Definition, Operation } from '@stubwright/contract';
import type { ParsedRequest } from './observation.ts';
import { keyOfPart, type PartLocation, type RequestPart, RequestParts } from './requestParts.ts';
import { operationName, type UsageLine } from './usageCounts.ts';

interface OperationUsage {
  readonly parts: RequestParts;
  /** By key. */
  readonly used: Set<string>;
}

export class Usage {
  readonly #definition: Definition;
  /** Of the operations that were called. */
  readonly #operations = new Map<Operation, OperationUsage>();

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  /** @param request whose parameters and body are read; what is invalid may be missing */
  add(operation: Operation, request: ParsedRequest): void {
    const { parts, used } = this.#usageOf(operation);
    parts.forEach(request, (index) => used.add(keyOfPart(parts.parts[index]!)));
  }

  addLine({ operation: name, parts }: UsageLine): void {
    const operation = this.#definition.operations.find((each) => operationName(each) === name);
    if (operation === undefined) return;
    const { used } = this.#usageOf(operation);
    for (const part of parts) used.add(keyOfPart(part));
  }

  /** @returns unused operations, then the unused parts of the others */
  unused(): string[] {
    const names = this.#definition.operations.map((each) => [operationName(each), each] as const);
    return names.flatMap(([name, operation]) => {
      const usage = this.#operations.get(operation);
      if (usage === undefined) return [name];
      const unused = usage.parts.parts.filter(
        (each) => each.isOptional && !usage.used.has(keyOfPart(each)),
      );
      const keys = new Set(unused.map(keyOfPart));
      // The properties and values of an unused part are not named.
      return unused
        .filter((each) => !containersOf(each).some((outer) => keys.has(keyOfPart(outer))))
        .map((each) => `${name}  ${textOf(each)}`);
    });
  }

  /** The parts are compiled at the first request. */
  #usageOf(operation: Operation): OperationUsage {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const usage = { parts: new RequestParts(operation, this.#definition), used: new Set<string>() };
    this.#operations.set(operation, usage);
    return usage;
  }
}

function containersOf({ subject, path, value }: RequestPart): PartLocation[] {
  const lengths = path.map((_, length) => length);
  return (value === undefined ? lengths : [...lengths, path.length]).map((length) => ({
    subject,
    path: path.slice(0, length),
  }));
}

/** @returns `request body /tags/* "a"` */
function textOf({ subject, path, value }: RequestPart): string {
  return [
    subject,
    ...(path.length === 0 ? [] : [`/${path.map((each) => each ?? '*').join('/')}`]),
    ...(value === undefined ? [] : [JSON.stringify(value)]),
  ].join(' ');
}
