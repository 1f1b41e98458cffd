// The values of violations that a log may show: no secrets, and none that the contract does not declare.
import { type Contract, type DescribedValue, type Operation, tokensOf } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import { Secrets } from './secrets.ts';

/** Locations whose values are not of a caller, or are the names in the log. */
const NAMES = ['path', 'method', 'status'];

export class ShownValues {
  readonly #secrets: Secrets;

  constructor(definition: Contract) {
    this.#secrets = new Secrets(definition);
  }

  /** @returns the violation, without its value if that is secret or not declared at its location */
  shown(violation: Violation, operation: Operation | undefined, isResponse = false): Violation {
    const { where, pointer, value } = violation;
    if (value === undefined || NAMES.includes(where)) return violation;
    const locations = operation ? describedBy(violation, operation, isResponse) : [];
    const path = tokensOf(pointer);
    const isShown = locations.some((described) => {
      if (described.isSensitive) return false;
      const schemas = this.#secrets.declaredAt(path, described.schemas);
      return schemas !== undefined && this.#secrets.isShown(value, schemas);
    });
    return isShown ? violation : { ...violation, value: undefined };
  }
}

/** @returns the parameter, or the headers or contents that may have declared the value */
function describedBy(
  { where, parameter }: Violation,
  { parameters, request, responses }: Operation,
  isResponse: boolean,
): DescribedValue[] {
  if (parameter !== undefined && !isResponse) {
    return parameters.filter((each) => each.name === parameter.name && each.in === parameter.in);
  }
  const header = (parameter?.name ?? /^header (.+)$/.exec(where)?.[1])?.toLowerCase();
  if (!isResponse) return header === undefined ? request.values() : [];
  const declared = [...responses.values()];
  if (header === undefined) return declared.flatMap(({ contents }) => contents.values());
  const headers = declared.flatMap((each) => [...each.headers]);
  return headers.filter(([name]) => name.toLowerCase() === header).map(([, each]) => each);
}
