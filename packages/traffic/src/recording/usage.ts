// Which operations, parameters, properties and enum values of a contract recorded requests use.
import type { Contract, Operation } from '@stubwright/contract';
import type { ParsedRequest } from './observation.ts';
import { keyOfPart, type PartLocation, type RequestPart } from './requestParts.ts';
import { ContractParts, operationName, type UsageLine } from './usageCounts.ts';

export class Usage {
  readonly #definition: Contract;
  readonly #parts: ContractParts;
  /** The keys of the used parts, of the operations that were called. */
  readonly #used = new Map<Operation, Set<string>>();

  constructor(definition: Contract) {
    this.#definition = definition;
    this.#parts = new ContractParts(definition);
  }

  /** @param request whose parameters and body are read; what is invalid may be missing */
  add(operation: Operation, request: ParsedRequest): void {
    const used = this.#usedOf(operation);
    const parts = this.#parts.of(operation);
    parts.forEach(request, (index) => used.add(keyOfPart(parts.parts[index]!)));
  }

  addLine({ operation: name, parts }: UsageLine): void {
    const operation = this.#definition.operations.find((each) => operationName(each) === name);
    if (operation === undefined) return;
    const used = this.#usedOf(operation);
    for (const part of parts) used.add(keyOfPart(part));
  }

  /** @returns unused operations, then the unused parts of the others */
  unused(): string[] {
    const names = this.#definition.operations.map((each) => [operationName(each), each] as const);
    return names.flatMap(([name, operation]) => {
      const used = this.#used.get(operation);
      if (used === undefined) return [name];
      const { parts } = this.#parts.of(operation);
      const unused = parts.filter((each) => each.isOptional && !used.has(keyOfPart(each)));
      const keys = new Set(unused.map(keyOfPart));
      // The properties and values of an unused part are not named.
      return unused
        .filter((each) => !containersOf(each).some((outer) => keys.has(keyOfPart(outer))))
        .map((each) => `${name}  ${textOf(each)}`);
    });
  }

  #usedOf(operation: Operation): Set<string> {
    const used = this.#used.get(operation) ?? new Set();
    this.#used.set(operation, used);
    return used;
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
