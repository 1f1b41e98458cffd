// The paths of a contract for openapi-typescript: operations that need a handler, and callbacks.
import {
  type Contract,
  type ContractObject,
  isObject,
  METHODS,
  type Node,
  type Operation,
  operationKeys,
  referencedValue,
} from '@stubwright/contract';
import { defaultOf, isReservedHeader, type Validators } from '@stubwright/contract/validation';

/** The name of a property or parameter whose `enum` lists the siblings that have a default. */
export const DEFAULTS = 'x-stubwright-defaults';

/** Replaces `#` in an operationId, which openapi-typescript would replace by `/`; no character of Unicode. */
export const HASH = '\uFDD0';

/** The start of keys in `paths` that are not paths of the contract. */
export const SYNTHETIC_PATH = '/x-stubwright-';

/** Those that openapi-typescript reads. */
const TYPED_METHODS = new Set<string>(METHODS.filter((method) => method !== 'query'));

/** An operation that openapi-typescript reads as `post` of a path of its own. */
export interface SyntheticMethod {
  readonly path: string;
  readonly method: string;
  readonly key: string;
}

/** A callback of an operation, which openapi-typescript reads as a path. */
export interface Callback {
  readonly operationId: string;
  readonly name: string;
  readonly expression: string;
  readonly path: string;
  readonly pathItem: ContractObject;
}

export interface TypedPaths {
  readonly paths: Node;
  readonly callbacks: readonly Callback[];
  /** The operations whose method openapi-typescript ignores. */
  readonly methods: readonly SyntheticMethod[];
}

/** @returns the operations that need a handler, and the callbacks, with the parameters of the engine */
export function typedPaths(definition: Contract, validators: Validators): TypedPaths {
  const paths: Node = {};
  const methods: SyntheticMethod[] = [];
  for (const operation of definition.operations) {
    const { operationId, method, path, pathItem, responses } = operation;
    paths[path] ??= withoutReserved(withoutOperations(fieldsOf(pathItem)), definition.document);
    const parameters = parametersOf(operation, validators);
    const declared = Object.fromEntries(
      [...responses].map(([status, response]) => [status, fieldsOf(response)]),
    );
    const id = operationId.replaceAll('#', HASH);
    const typed = { responses: declared, ...fieldsOf(operation), operationId: id, parameters };
    if (TYPED_METHODS.has(method)) paths[path][method] = typed;
    else {
      const key = `${SYNTHETIC_PATH}${method}${path}`;
      paths[key] = { post: typed };
      methods.push({ path, method, key });
    }
  }
  const callbacks = callbacksOf(definition);
  for (const { pathItem, path } of callbacks) paths[path] = fieldsOf(pathItem);
  return { paths, methods, callbacks };
}

function fieldsOf(object: ContractObject): Node {
  return Object.fromEntries(object.fields.map((name) => [name, object.field(name)]));
}

function withoutOperations(item: Node): Node {
  const operations = new Set(operationKeys(item).map(([, key]) => key));
  return Object.fromEntries(Object.entries(item).filter(([key]) => !operations.has(key)));
}

/** openapi-typescript adds the parameters of a path item to those of its operations. */
function withoutReserved(item: Node, document: Node): Node {
  if (!Array.isArray(item.parameters)) return item;
  const parameters = item.parameters.filter((parameter: unknown) => {
    const declared = referencedValue(document, parameter);
    return !(isObject(declared) && isReservedHeader(declared));
  });
  return { ...item, parameters };
}

function parametersOf({ parameters }: Operation, validators: Validators): Node[] {
  const names = new Map<string, string[]>();
  const typed = parameters.flatMap((parameter) => {
    if (parameter.isReserved) return [];
    const { name, isRequired, described } = parameter;
    const where = parameter.in === 'querystring' ? 'query' : parameter.in;
    const fields = { ...fieldsOf(parameter), in: where };
    const { schema } = described;
    if (schema === undefined) return [fields];
    if (!isRequired && defaultOf(schema, validators) !== undefined) {
      names.set(where, [...(names.get(where) ?? []), name]);
    }
    return [{ ...fields, content: undefined, schema: described.field('schema') }];
  });
  const marks = [...names].map(([where, list]) => ({
    name: DEFAULTS,
    in: where,
    schema: { enum: list },
  }));
  return [...typed, ...marks];
}

function callbacksOf(definition: Contract): Callback[] {
  const found = definition.operations.flatMap((operation) => {
    const { operationId } = operation;
    // An item has several operations.
    const items = Map.groupBy(
      definition.callbacksOf(operation),
      ({ name, expression }) => `${name} ${expression}`,
    );
    return Array.from(items.values(), ([first]) => {
      const { name, expression, pathItem } = first!;
      return { operationId, name, expression: expression!, pathItem };
    });
  });
  return found.map((each, at) => ({ ...each, path: `${SYNTHETIC_PATH}callback/${at}` }));
}
