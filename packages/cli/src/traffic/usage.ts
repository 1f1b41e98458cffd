// Which operations, parameters, properties and enum values of a contract recorded requests use.
import type { Definition, Operation } from 'stubwright/contract';
import { RequestParts, type UsageLine } from 'stubwright/recording';
import type { Exchange } from 'stubwright/validation';

interface OperationUsage {
  readonly parts: RequestParts;
  /** By name. */
  readonly used: Set<string>;
}

export class Usage {
  readonly #definition: Definition;
  /** Of the operations that were called. */
  readonly #operations = new Map<Operation, OperationUsage>();

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  /** @param exchange whose parameters and body are read; what is invalid may be missing */
  add(operation: Operation, exchange: Exchange): void {
    const { parts, used } = this.#usageOf(operation);
    parts.forEach(exchange, (index) => used.add(parts.parts[index]!.name));
  }

  addLine({ operation: name, parts }: UsageLine): void {
    const operation = this.#definition.operations.find((each) => nameOf(each) === name);
    if (operation === undefined) return;
    const { used } = this.#usageOf(operation);
    for (const part of Object.keys(parts)) used.add(part);
  }

  /** @returns unused operations, then the unused parts of the others */
  unused(): string[] {
    const names = this.#definition.operations.map((each) => [nameOf(each), each] as const);
    return names.flatMap(([name, operation]) => {
      const usage = this.#operations.get(operation);
      if (usage === undefined) return [name];
      const unused = usage.parts.parts
        .filter((each) => each.isOptional && !usage.used.has(each.name))
        .map((each) => each.name);
      // The properties of an unused property are not named.
      const outer = unused.filter(
        (each) => !unused.some((other) => other !== each && each.startsWith(`${other}/`)),
      );
      return outer
        .filter((each) => !outer.some((other) => each.startsWith(`${other} "`)))
        .map((each) => `${name}  ${each}`);
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

function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}
