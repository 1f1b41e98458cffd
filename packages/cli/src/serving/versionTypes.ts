// Writes generated/versions/<version>.ts: the types of both contracts, and those of the converters that a served version needs.
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
} from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { propertyName } from '../client/code.ts';
import { commentOf, uniqueName } from '../project/names.ts';
import { TYPE, typesSource } from '../types/generateTypes.ts';
import type { ConverterMember } from './conversions.ts';
import {
  type ConvertedChange,
  type ConverterPlan,
  converterPlan,
  labelOf,
  type NeededConverter,
  namedConverters,
} from './converterPlan.ts';

interface DeclarationOptions {
  /** The newer operations, by operationId of the older contract. */
  readonly pairs: ReadonlyMap<string, Operation>;
  /** The type of the operations that a converter `call` may call. */
  readonly calls: string;
}

interface Signature {
  readonly parameters: string;
  readonly returned: string;
}

function signatureOf(
  { member, name, changes }: NeededConverter,
  { statuses }: ConverterPlan,
  { pairs, calls }: DeclarationOptions,
): Signature {
  if (member === 'toNew') {
    const returned = `SentValue<${componentType('Newer', name)}>`;
    const parameters = `value: ReceivedValue<${componentType('Received', name)}>`;
    return { parameters, returned };
  }
  if (member === 'toOld') {
    const returned = `ReplyValue<${componentType('Older', name)}>`;
    const parameters = `value: ReplyValue<${componentType('Replied', name)}>`;
    return { parameters, returned };
  }
  const newer = pairs.get(name)?.operationId ?? '';
  const [older, next] = [contractOperation('Older', name), contractOperation('Newer', newer)];
  const [received, replied] = [
    contractOperation('Received', name),
    contractOperation('Replied', newer),
  ];
  const reply = `MaybePromise<ReplyOf<${older}>>`;
  switch (member) {
    case 'request': {
      const parts = changedParts(changes).map((part) => JSON.stringify(part));
      const returned = `MaybePromise<ConvertedParts<${next}, ${parts.join(' | ') || 'never'}>>`;
      return { parameters: `request: OlderRequest<${received}>`, returned };
    }
    case 'item': {
      const parameters = `item: StreamItemOf<${replied}>`;
      return { parameters, returned: `StreamItemOf<${older}> | undefined` };
    }
    case 'call': {
      const parameters = `request: OlderRequest<${received}>, operations: CalledOperations<${calls}>`;
      return { parameters, returned: reply };
    }
    default: {
      // The statuses are converted before.
      const own = [...statuses].filter(([, { operations }]) => operations.includes(name));
      const types = own.map(
        ([status, { allowed }]) => `readonly ${status}: ${[...allowed, status].join(' | ')}`,
      );
      const mapped = types.length === 0 ? '' : `, { ${types.join('; ')} }`;
      return { parameters: `reply: NewerReply<${replied}${mapped}>`, returned: reply };
    }
  }
}

function changedParts(changes: readonly ConvertedChange[]): string[] {
  const parts = changes.map(({ part }) => {
    const [, where] = /^(path|query|header|cookie) parameter /.exec(part) ?? [];
    if (part.startsWith('querystring parameter ')) return 'query';
    return where ?? (part.startsWith('request body') ? 'body' : undefined);
  });
  return [...new Set(parts.filter((part) => part !== undefined))];
}

function convertersType(plan: ConverterPlan, options: DeclarationOptions): string {
  const taken = new Set<string>();
  const interfaces: string[] = [];
  const groups = namedConverters(plan).map(([group, named]) => {
    const entries = named.map(([name, converters]) => {
      // Errors of the compiler have the name of the interface instead of its members.
      const type = uniqueName(name, taken);
      taken.add(type.toLowerCase());
      const members = converters.map((converter) =>
        memberOf(converter, signatureOf(converter, plan, options)),
      );
      // A converter `call` has no value that could come back.
      const hasLosses = converters.some(({ member }) => member !== 'call');
      const all = [...members, ...(hasLosses ? [LOSSES] : [])].join('');
      interfaces.push(`export interface ${type}Converter {\n${all}}`);
      return `    readonly ${propertyName(name)}: ${type}Converter;\n`;
    });
    return `  readonly ${group}: {\n${entries.join('')}  };\n`;
  });
  const statuses = Array.from(plan.statuses, ([status, { allowed }]) => {
    return `    readonly ${status}?: ${allowed.join(' | ')};\n`;
  });
  if (statuses.length > 0) groups.push(`  readonly statuses?: {\n${statuses.join('')}  };\n`);
  const all = `/** \`satisfies Converters\` checks those of the application. */\nexport interface Converters {\n${groups.join('')}}`;
  return [all, ...interfaces].join('\n\n');
}

function memberOf(converter: NeededConverter, { parameters, returned }: Signature): string {
  const lines = converter.changes.map((change) => `   * - ${sentence(change)}\n`).join('');
  return `  /**\n   * In ${labelOf(converter)}:\n${lines}   */\n  readonly ${converter.member}: (${parameters}) => ${returned};\n`;
}

const LOSSES = `  /** What does not arrive as it was: properties, parameters, or values of an enum. */
  readonly loses?: readonly string[];
`;

function sentence({ part, change }: ConvertedChange): string {
  const where = part === '' ? '' : `${part}: `;
  return commentOf(`${where}${change.what}. ${change.effect}`).replaceAll('*/', '*\\/');
}

interface VersionTypesOptions {
  readonly version: string;
  readonly older: Contract;
  readonly newer: Contract;
  /** The module of the types of the newer contract, if there is one; else they are written for `call`. */
  readonly newerTypes?: string | undefined;
}

const CURRENT = 'CurrentOperations';

const IMPORTED = [
  ...['CalledOperations', 'ConvertedParts', 'MaybePromise', 'NewerReply', 'OlderRequest'],
  ...['ReceivedValue', 'ReplyOf', 'ReplyValue', 'SentValue', 'StreamItemOf'],
];

/** @returns the text, and what the application must write for it */
export function versionTypes(options: VersionTypesOptions) {
  const { version, older, newer, newerTypes } = options;
  const plan = converterPlan(older, newer);
  const hasNewerTypes = newerTypes !== undefined;
  const { namespaces, marks } = contractTypes(plan, { older, newer, hasNewerTypes });
  const body = [
    convertersType(plan, {
      pairs: operationPairs(older, newer),
      calls: hasNewerTypes ? CURRENT : 'Newer.operations',
    }),
    ...namespaces,
  ].join('\n\n');
  const used = IMPORTED.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const imports = [
    ...importOf(body.includes(`<${CURRENT}>`) ? [`operations as ${CURRENT}`] : [], `${newerTypes}`),
    ...importOf(marks, 'stubwright'),
    ...importOf(used, '@stubwright/versions'),
  ];
  const next = newer.version ?? 'the current version';
  const title = `// The converters between ${version} and ${next}. Generated from both contracts; edit those.`;
  return { plan, text: `${title}\n${imports.join('\n')}\n\n${body}\n` };
}

function importOf(names: readonly string[], module: string): string[] {
  return names.length === 0 ? [] : [`import type { ${names.join(', ')} } from '${module}';`];
}

interface PartialDocumentOptions {
  readonly operations: ReadonlySet<Operation>;
  /** The names of components, besides those that the operations reach. */
  readonly schemas: Iterable<string>;
  /** Components -> the TypeScript type that stands for each reference to them. */
  readonly converted?: ReadonlyMap<string, string>;
}

function partialDocument(
  { document }: Contract,
  { operations, schemas, converted = new Map() }: PartialDocumentOptions,
): Node {
  const copy: Node = structuredClone(document);
  rewriteReferences(copy);
  for (const { pointer, node } of [...schemaLocations(copy)]) {
    const type = convertedType(pointer, node, converted);
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
  const methods = Map.groupBy(operations, (operation) => pathKey(operation, paths));
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
function pathKey({ path, pointer }: Operation, paths: Node): string {
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
  for (const [name, component] of Object.entries(components['schemas'] ?? {})) {
    if (roots.includes(component)) reach(`${REFERENCE}${escapeToken(name)}`);
  }
  for (const node of queue) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
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
    const isComposed = Array.isArray(allOf) && allOf.some((part) => part?.$ref === reference);
    return isComposed ? [`${REFERENCE}${escapeToken(name)}`] : [];
  });
}

interface Options {
  readonly older: Contract;
  readonly newer: Contract;
  /** True if converters `call` use types of another module. */
  readonly hasNewerTypes: boolean;
}

/** @returns the declarations, and the types of stubwright that they use */
function contractTypes(
  plan: ConverterPlan,
  { older, newer, hasNewerTypes }: Options,
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
    },
    {
      ...{ name: 'Newer', comment: 'What converters of requests return.', contract: newer },
      operations: hasCalls ? newer.operations : ofNewer('request'),
      schemas: toNew,
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
function componentType(namespace: string, name: string): string {
  return `${namespace}.components["schemas"][${JSON.stringify(name)}]`;
}

/** @returns `Older.operations["listToys"]` */
function contractOperation(namespace: string, operationId: string): string {
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

interface Namespace extends Pick<PartialDocumentOptions, 'converted'> {
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
