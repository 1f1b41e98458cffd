// The values of violations that a log may show: no secrets, and none that the contract does not declare.
import {
  type Definition,
  type LocatedNode,
  type Operation,
  unescapeToken,
} from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import { Secrets } from './secrets.ts';

/** Locations whose values are not of a caller, or are the names in the log. */
const NAMES = ['path', 'method', 'status'];

export class ShownValues {
  readonly #definition: Definition;
  readonly #secrets: Secrets;

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#secrets = new Secrets(definition);
  }

  /** @returns the violation, without its value if that is secret or not declared at its location */
  shown(violation: Violation, operation: Operation | undefined, isResponse = false): Violation {
    const { where, pointer, value } = violation;
    if (value === undefined || NAMES.includes(where)) return violation;
    const locations = operation ? this.#locations(violation, operation, isResponse) : [];
    const path = pointer.split('/').slice(1).map(unescapeToken);
    const isShown = locations.some((location) => {
      if (location.node['x-sensitive'] === true) return false;
      const schemas = this.#secrets.declaredAt(path, this.#secrets.schemasOf(location));
      return schemas !== undefined && this.#secrets.kept(value, schemas).isWhole;
    });
    return isShown ? violation : { ...violation, value: undefined };
  }

  /** @returns the parameter, or the headers or contents that may have declared the value */
  #locations(
    { where, parameter }: Violation,
    { parameters, requestBody, responses }: Operation,
    isResponse: boolean,
  ): LocatedNode[] {
    if (parameter !== undefined && !isResponse) {
      return parameters.filter(({ node }) => {
        return node['name'] === parameter.name && node['in'] === parameter.in;
      });
    }
    const holders = isResponse ? [...responses.values()] : [requestBody ?? []].flat();
    const header = (parameter?.name ?? /^header (.+)$/.exec(where)?.[1])?.toLowerCase();
    const children = holders.flatMap((each) => [
      ...this.#definition.children(each, header === undefined ? 'content' : 'headers'),
    ]);
    return children
      .filter(([name]) => header === undefined || name.toLowerCase() === header)
      .map(([, each]) => each);
  }
}
