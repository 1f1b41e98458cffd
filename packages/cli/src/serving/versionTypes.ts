// Writes generated/versions/<version>.ts: the types of both contracts, and those of the converters that a served version needs.
import { type Contract, type Operation, once } from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { propertyName } from '../client/code.ts';
import { commentOf, uniqueName } from '../project/names.ts';
import { contractTypes, typesSource } from '../types/generateTypes.ts';
import { usedDeclarations } from '../types/schemaAliases.ts';
import type { ConverterMember } from './conversions.ts';
import {
  type ConvertedChange,
  type ConverterPlan,
  converterPlan,
  labelOf,
  namedConverters,
  optionalMark,
  type PlannedConverter,
} from './converterPlan.ts';

/** The name of the imported `@stubwright/versions`. */
const API = 'api';

/** The namespaces of the module, with their comments. */
const NAMESPACES = {
  Older: 'What converters of replies return.',
  Newer: 'What converters of requests return.',
  Received: 'What converters of requests receive.',
  Replied: 'What converters of replies receive.',
} as const;

type Namespace = keyof typeof NAMESPACES;

/** Names the types of both contracts, and keeps those that were named. */
class NamedTypes {
  readonly #used = new Map<Namespace, { operations: Set<string>; schemas: Set<string> }>();

  /** @returns `Older.components["schemas"]["Toy"]` */
  component(namespace: Namespace, name: string): string {
    this.#usedOf(namespace).schemas.add(name);
    return `${namespace}.components["schemas"][${JSON.stringify(name)}]`;
  }

  /** @returns `Older.operations["listToys"]` */
  operation(namespace: Namespace, id: string): string {
    this.#usedOf(namespace).operations.add(id);
    return `${namespace}.operations[${JSON.stringify(id)}]`;
  }

  #usedOf(namespace: Namespace) {
    const known = this.#used.get(namespace) ?? { operations: new Set(), schemas: new Set() };
    this.#used.set(namespace, known);
    return known;
  }

  /** @returns the declarations, and the types of stubwright that they use */
  written(older: Contract, newer: Contract) {
    const types = {
      older: once(() => contractTypes(older.document)),
      newer: once(() => contractTypes(newer.document)),
    };
    const converted: Partial<Record<Namespace, (name: string) => string>> = {
      Received: (name) => `${API}.SentValue<${this.component('Newer', name)}>`,
      Replied: (name) => `${API}.ReplyValue<${this.component('Older', name)}>`,
    };
    const names = Object.keys(NAMESPACES) as Namespace[];
    const texts = names.flatMap((name) => {
      const used = this.#used.get(name);
      if (used === undefined) return [];
      const contract = name === 'Older' || name === 'Received' ? types.older() : types.newer();
      const typeOf = converted[name];
      const declarations = usedDeclarations(contract.declarations, {
        ...used,
        converted: new Map(typeOf && [...used.schemas].map((name) => [name, typeOf(name)])),
      });
      const { marks, source } = typesSource({ ...contract, declarations });
      const text = `/** ${NAMESPACES[name]} */\nexport declare namespace ${name} {\n${source}}`;
      return { text, marks };
    });
    const marks = new Set(texts.flatMap(({ marks }) => marks));
    return { namespaces: texts.map(({ text }) => text), marks: [...marks].sort() };
  }
}

interface DeclarationOptions {
  /** The newer operations, by operationId of the older contract. */
  readonly pairs: ReadonlyMap<string, Operation>;
  /** @returns the type of the operations that a converter `call` may call */
  readonly calls: () => string;
  readonly types: NamedTypes;
}

/** Of `@stubwright/versions`. */
const CONVERTER_TYPES: Readonly<Record<ConverterMember, string>> = {
  ...{ toNew: 'ToNew', toOld: 'ToOld', request: 'RequestConverter', reply: 'ReplyConverter' },
  ...{ item: 'ItemConverter', call: 'CallConverter' },
};

/** @returns `ToOld<Replied.components["schemas"]["Toy"], Older.components["schemas"]["Toy"]>` */
function converterType(
  { member, name, changes }: PlannedConverter,
  { statuses }: ConverterPlan,
  { pairs, calls, types }: DeclarationOptions,
): string {
  const newer = pairs.get(name)?.operationId ?? '';
  const component = (namespace: Namespace) => types.component(namespace, name);
  const operation = (namespace: Namespace, id = name) => types.operation(namespace, id);
  const replied = () => [operation('Replied', newer), operation('Older')];
  const parameters: Readonly<Record<ConverterMember, () => readonly string[]>> = {
    toNew: () => [component('Received'), component('Newer')],
    toOld: () => [component('Replied'), component('Older')],
    request: () => {
      const parts = changedParts(changes).map((part) => JSON.stringify(part));
      const changed = parts.join(' | ') || 'never';
      return [operation('Received'), operation('Newer', newer), changed];
    },
    item: replied,
    call: () => [operation('Received'), operation('Older'), calls()],
    reply: () => {
      // The statuses are converted before.
      const own = [...statuses].filter(([, { operations }]) => operations.includes(name));
      const members = own.map(
        ([status, { allowed }]) => `readonly ${status}: ${[...allowed, status].join(' | ')}`,
      );
      return [...replied(), ...(members.length === 0 ? [] : [`{ ${members.join('; ')} }`])];
    },
  };
  return `${API}.${CONVERTER_TYPES[member]}<${parameters[member]().join(', ')}>`;
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
        memberOf(converter, converterType(converter, plan, options)),
      );
      // A converter `call` has no value that could come back.
      const hasLosses = converters.some(({ member }) => member !== 'call');
      const all = [...members, ...(hasLosses ? [LOSSES] : [])].join('');
      interfaces.push(`export interface ${type}Converter {\n${all}}`);
      return `    readonly ${propertyName(name)}${optionalMark(converters)}: ${type}Converter;\n`;
    });
    const mark = optionalMark(named.flatMap(([, converters]) => converters));
    return `  readonly ${group}${mark}: {\n${entries.join('')}  };\n`;
  });
  const statuses = Array.from(plan.statuses, ([status, { allowed }]) => {
    return `    readonly ${status}?: ${allowed.join(' | ')};\n`;
  });
  if (statuses.length > 0) groups.push(`  readonly statuses?: {\n${statuses.join('')}  };\n`);
  const all = `/** \`satisfies Converters\` checks those of the application. */\nexport interface Converters {\n${groups.join('')}}`;
  return [all, ...interfaces].join('\n\n');
}

function memberOf(converter: PlannedConverter, type: string): string {
  const lines = converter.changes.map((change) => `   * - ${sentence(change)}\n`).join('');
  return `  /**\n   * In ${labelOf(converter)}:\n${lines}   */\n  readonly ${converter.member}${optionalMark([converter])}: ${type};\n`;
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

/** @returns the text, and what the application must write for it */
export function versionTypes({ version, older, newer, newerTypes }: VersionTypesOptions) {
  const plan = converterPlan(older, newer);
  const types = new NamedTypes();
  const calls = () => {
    if (newerTypes !== undefined) return CURRENT;
    for (const { operationId } of newer.operations) types.operation('Newer', operationId);
    return 'Newer.operations';
  };
  const converters = convertersType(plan, { pairs: operationPairs(older, newer), calls, types });
  const { namespaces, marks } = types.written(older, newer);
  const body = [converters, ...namespaces].join('\n\n');
  const imports = [
    ...importOf(
      body.includes(`, ${CURRENT}>`) ? [`operations as ${CURRENT}`] : [],
      `${newerTypes}`,
    ),
    ...importOf(marks, 'stubwright'),
    ...(body.includes(`${API}.`) ? [`import type * as ${API} from '@stubwright/versions';`] : []),
  ];
  const next = newer.version ?? 'the current version';
  const title = `// The converters between ${version} and ${next}. Generated from both contracts; edit those.`;
  return { plan, text: `${title}\n${imports.join('\n')}\n\n${body}\n` };
}

function importOf(names: readonly string[], module: string): string[] {
  return names.length === 0 ? [] : [`import type { ${names.join(', ')} } from '${module}';`];
}
