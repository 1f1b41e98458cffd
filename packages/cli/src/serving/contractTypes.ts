// The types of both contracts that converters receive and return, each in a namespace.
import {
  type Contract,
  escapeToken,
  isObject,
  type Node,
  type Operation,
  operationKeys,
  rewriteReferences,
  schemaLocations,
  unescapeToken,
  valueAt,
} from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { TYPE, typesSource } from '../types/generateTypes.ts';
import type { ConverterMember } from './conversions.ts';
import {
  type ConverterPlan,
  flatMapConverters,
  labelOf,
  type NeededConverter,
  operationsOf,
  TypeIdentifiers,
} from './converterPlan.ts';

export interface NamedTypes {
  readonly identifiers: TypeIdentifiers;
  /** By JSON pointer of the schema in the contract whose values a converter returns. */
  readonly enums: Readonly<Record<'older' | 'newer', ReadonlyMap<string, string>>>;
  /** By status of the newer contract. */
  readonly statuses: ReadonlyMap<number, string>;
  readonly declarations: readonly string[];
}

export function namedTypes(
  plan: ConverterPlan,
  contracts: Readonly<Record<'older' | 'newer', Contract>>,
): NamedTypes {
  const identifiers = new TypeIdentifiers();
  const enums = { older: new Map<string, string>(), newer: new Map<string, string>() };
  const declarations: string[] = [];
  for (const converter of flatMapConverters(plan, (neededConverter) => [neededConverter])) {
    const side = isRequest(converter) ? 'newer' : 'older';
    for (const { pointer, name } of enumsOf(converter, side)) {
      const values = enums[side].has(pointer) ? undefined : valuesAt(contracts[side], pointer);
      if (values === undefined) continue;
      const type = identifiers.of(`${name} in ${labelOf(converter)}`);
      enums[side].set(pointer, type);
      declarations.push(
        `export type ${type} = ${values.map((value) => JSON.stringify(value)).join(' | ')};`,
      );
    }
  }
  const statuses = new Map<number, string>();
  for (const [status, { allowed, operations }] of plan.statuses) {
    const type = identifiers.of(`status in replies of ${operationsOf(operations)}`);
    statuses.set(status, type);
    declarations.push(`export type ${type} = ${[...allowed, 'Undeclared'].join(' | ')};`);
  }
  return { identifiers, enums, statuses, declarations };
}

function isRequest({ member }: NeededConverter): boolean {
  return member === 'toNew' || member === 'request';
}

/** The JSON pointers and names of the changed enums. */
function enumsOf({ name, changes }: NeededConverter, side: 'older' | 'newer') {
  return changes
    .filter(({ change: { rule } }) => /^(?:request|response)-enum-/.test(rule))
    .map(({ change, part }) => {
      const pointer = side === 'older' ? change.before : change.after;
      const last = /\/([^/]+)$/.exec(part)?.[1];
      return { pointer: pointer.replace(/\/(?:enum|const)(?:\/\d+)?$/, ''), name: last ?? name };
    });
}

/** @returns the values of an enum of strings; undefined for another schema, and for one value */
function valuesAt({ document }: Contract, pointer: string): readonly string[] | undefined {
  const schema: unknown = valueAt(document, pointer);
  const values: unknown = isObject(schema) ? schema['enum'] : undefined;
  const isNamed =
    Array.isArray(values) &&
    values.length > 1 &&
    values.every((value) => typeof value === 'string');
  return isNamed ? values : undefined;
}

interface PartialDocumentOptions {
  readonly operations: ReadonlySet<Operation>;
  /** The names of components, besides those that the operations reach. */
  readonly schemas: Iterable<string>;
  /** Components -> the TypeScript type that stands for each reference to them. */
  readonly converted?: ReadonlyMap<string, string>;
  /** JSON pointers of schemas -> the TypeScript types that stand for them. */
  readonly named?: ReadonlyMap<string, string>;
}

function partialDocument(
  { document }: Contract,
  { operations, schemas, converted = new Map(), named = new Map() }: PartialDocumentOptions,
): Node {
  const copy: Node = structuredClone(document);
  rewriteReferences(copy);
  for (const { pointer, node } of [...schemaLocations(copy)]) {
    const type = named.get(pointer) ?? convertedType(pointer, node, converted);
    // openapi-typescript asks for the types of items and alternatives only if they have a `type`.
    if (type !== undefined) replace(node, { type: 'string', [TYPE]: type });
  }
  delete copy.webhooks;
  copy.paths = pathsWith(copy.paths ?? {}, operations);
  const roots = [copy.paths, ...[...schemas].map((name) => copy.components?.schemas?.[name])];
  if (copy.components !== undefined) copy.components = reachedFrom(roots, copy.components);
  return copy;
}

const REFERENCE = '#/components/schemas/';

/** A part of a component with a converter of its own is left to that one. */
function convertedType(
  pointer: string,
  { $ref }: Node,
  converted: ReadonlyMap<string, string>,
): string | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith(REFERENCE)) return undefined;
  const name = unescapeToken($ref.slice(REFERENCE.length));
  const [, outer] = /^\/components\/schemas\/([^/]+)(?:\/allOf\/\d+)*$/.exec(pointer) ?? [];
  const isPart = outer !== undefined && converted.has(unescapeToken(outer));
  return isPart ? undefined : converted.get(name);
}

function replace(node: Node, content: Node): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, content);
}

function pathsWith(paths: Node, operations: ReadonlySet<Operation>): Node {
  const methods = Map.groupBy(operations, (operation) => keyOf(operation, paths));
  const kept = [...methods].map(([path, own]) => {
    const wanted = new Set(own.map(({ method }) => method));
    const copy = { ...paths[path] };
    for (const [method, key] of operationKeys(copy)) {
      if (key === undefined || key === 'additionalOperations') continue;
      if (!wanted.has(method)) delete copy[key];
      else if (isObject(copy[key])) copy[key] = { ...copy[key], callbacks: undefined };
    }
    return [path, copy] as const;
  });
  return Object.fromEntries(kept);
}

/** A path of an operation has no fragment, its key in the document may have one. */
function keyOf({ path, pointer }: Operation, paths: Node): string {
  const [, , own = ''] = pointer.split('/');
  const key = unescapeToken(own);
  return Object.hasOwn(paths, key) ? key : path;
}

/** @returns the components that the roots reach by references, and all security schemes */
function reachedFrom(roots: readonly unknown[], components: Node): Node {
  const reached = new Set<string>();
  const queue = new Set<unknown>(roots);
  const reach = (reference: string) => {
    const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? [];
    if (kind === undefined || name === undefined) return;
    const target = components[kind]?.[unescapeToken(name)];
    if (target === undefined) return;
    reached.add(`${kind}/${unescapeToken(name)}`);
    queue.add(target);
    // A discriminator selects among the components that are composed of its schema.
    if (isObject(target) && target['discriminator'] !== undefined) {
      for (const text of composedOf(reference, components)) reach(text);
    }
  };
  for (const [name, each] of Object.entries(components['schemas'] ?? {})) {
    if (roots.includes(each)) reach(`${REFERENCE}${escapeToken(name)}`);
  }
  for (const each of queue) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, value] of Object.entries(each)) {
      if (typeof value !== 'string') queue.add(value);
      else if (value.startsWith('#/components/')) reach(value);
      else if (key === 'propertyName' || isObject(components['schemas']?.[value])) {
        reach(`${REFERENCE}${escapeToken(value)}`);
      }
    }
  }
  const kept = Object.entries<Node>(components).map(([kind, all]) => {
    const isKept = (name: string) => kind === 'securitySchemes' || reached.has(`${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name)))];
  });
  return Object.fromEntries(kept);
}

function composedOf(reference: string, { schemas = {} }: Node): string[] {
  return Object.entries<Node>(schemas).flatMap(([name, { allOf }]) => {
    const isComposed = Array.isArray(allOf) && allOf.some((each) => each?.$ref === reference);
    return isComposed ? [`${REFERENCE}${escapeToken(name)}`] : [];
  });
}

interface Options {
  readonly older: Contract;
  readonly newer: Contract;
  readonly named: NamedTypes;
  /** True if converters `call` use types of another module. */
  readonly hasNewerTypes: boolean;
}

/** @returns the declarations, and the types of stubwright that they use */
export function contractTypes(
  plan: ConverterPlan,
  { older, newer, named, hasNewerTypes }: Options,
): { readonly namespaces: readonly string[]; readonly marks: readonly string[] } {
  const pairs = operationPairs(older, newer);
  const toNew = namesWith(plan, 'toNew');
  const toOld = namesWith(plan, 'toOld');
  const ofOlder = (...members: ConverterMember[]) => operationsWith(plan, members, older);
  const ofNewer = (...members: ConverterMember[]) =>
    ofOlder(...members).flatMap((operation) => pairs.get(operation.operationId) ?? []);
  const hasCalls = ofOlder('call').length > 0 && !hasNewerTypes;
  const all: readonly Namespace[] = [
    {
      ...{ name: 'Older', comment: 'What converters of replies return.', contract: older },
      ...{ operations: ofOlder('reply', 'item', 'call'), schemas: toOld },
      named: named.enums.older,
    },
    {
      ...{ name: 'Newer', comment: 'What converters of requests return.', contract: newer },
      operations: hasCalls ? newer.operations : ofNewer('request'),
      ...{ schemas: toNew, named: named.enums.newer },
    },
    {
      ...{ name: 'Received', comment: 'What converters of requests receive.', contract: older },
      ...{ operations: ofOlder('request', 'call'), schemas: toNew },
      converted: new Map(toNew.map((name) => [name, `SentValue<${componentType('Newer', name)}>`])),
    },
    {
      ...{ name: 'Replied', comment: 'What converters of replies receive.', contract: newer },
      ...{ operations: ofNewer('reply', 'item'), schemas: toOld },
      converted: new Map(
        toOld.map((name) => [name, `ReplyValue<${componentType('Older', name)}>`]),
      ),
    },
  ];
  const texts = all
    .filter((namespace) =>
      [namespace.operations, namespace.schemas].some(({ length }) => length > 0),
    )
    .map(namespaceOf);
  return {
    namespaces: texts.map(({ text }) => text),
    marks: [...new Set(texts.flatMap(({ marks }) => marks))].sort(),
  };
}

/** @returns `Older.components["schemas"]["Toy"]` */
export function componentType(namespace: string, name: string): string {
  return `${namespace}.components["schemas"][${JSON.stringify(name)}]`;
}

/** @returns `Older.operations["listToys"]` */
export function contractOperation(namespace: string, operationId: string): string {
  return `${namespace}.operations[${JSON.stringify(operationId)}]`;
}

function namesWith({ schemas }: ConverterPlan, member: ConverterMember): string[] {
  return schemas.filter((schema) => schema.member === member).map(({ name }) => name);
}

function operationsWith(
  { operations }: ConverterPlan,
  members: readonly ConverterMember[],
  older: Contract,
): Operation[] {
  const names = new Set(
    operations.filter(({ member }) => members.includes(member)).map(({ name }) => name),
  );
  return older.operations.filter(({ operationId }) => names.has(operationId));
}

interface Namespace extends Pick<PartialDocumentOptions, 'converted' | 'named'> {
  readonly name: string;
  readonly comment: string;
  readonly contract: Contract;
  readonly operations: readonly Operation[];
  readonly schemas: readonly string[];
}

function namespaceOf({ name, comment, contract, operations, ...options }: Namespace) {
  const document = partialDocument(contract, { ...options, operations: new Set(operations) });
  const { marks, source } = typesSource(document);
  return {
    marks,
    text: `/** ${comment} */\nexport declare namespace ${name} {\n${withoutPaths(source)}}`,
  };
}

/** Converters have types of operations and components. */
function withoutPaths(source: string): string {
  return source.replace(
    /^export (?:interface paths \{\n(?:[ \t].*\n|\n)*\}|type paths = .*|type webhooks = .*|type \$defs = .*)\n/gm,
    '',
  );
}
