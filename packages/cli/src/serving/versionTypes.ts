// Writes generated/versions/<version>.ts: an interface for each converter that a served version needs.

import { relative } from 'node:path/posix';
import { type Contract, escapeToken, type Operation } from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { commentOf } from '../project/names.ts';
import {
  componentType,
  contractOperation,
  contractTypes,
  type NamedTypes,
  namedTypes,
} from './contractTypes.ts';
import { type ConverterMember, stepsOf } from './conversions.ts';
import {
  type ConvertedChange,
  type ConverterPlan,
  converterPlan,
  GROUPS,
  labelOf,
  type NeededConverter,
  type NeededFunction,
  neededFunctions,
  operationsOf,
  stepName,
} from './converterPlan.ts';

interface DeclarationOptions {
  readonly newer: Contract;
  /** The newer operations, by operationId of the older contract. */
  readonly pairs: ReadonlyMap<string, Operation>;
  readonly named: NamedTypes;
  /** The type of the operations that a converter `call` may call. */
  readonly calls: string;
}

interface Signature {
  readonly parameters: string;
  readonly returned: string;
  /** The parameter of a step: the converted value. */
  readonly step: string;
}

class ConverterSignatures {
  readonly #plan: ConverterPlan;
  readonly #options: DeclarationOptions;
  readonly #texts: string[];
  #callsType: string | undefined;

  /** @param texts to which the declarations of the types are added */
  constructor(plan: ConverterPlan, options: DeclarationOptions, texts: string[]) {
    this.#plan = plan;
    this.#options = options;
    this.#texts = texts;
  }

  of(converter: NeededConverter): Signature {
    const { member, name } = converter;
    if (isSchema(member)) return this.#schemaSignature(converter);
    const newer = this.#options.pairs.get(name)?.operationId ?? '';
    const [older, next] = [contractOperation('Older', name), contractOperation('Newer', newer)];
    if (member === 'request') {
      const parts = changedParts(converter)
        .map((changedPart) => JSON.stringify(changedPart))
        .join(' | ');
      const returned = this.#typeAlias(
        labelOf(converter),
        `MaybePromise<ConvertedParts<${next}, ${parts || 'never'}>>`,
      );
      const parameters = `request: OlderRequest<${contractOperation('Received', name)}>`;
      return { parameters, returned, step: `NewerRequest<${next}>` };
    }
    if (member === 'item') {
      const returned = this.#typeAlias(labelOf(converter), `StreamItemOf<${older}>`);
      const parameters = `item: StreamItemOf<${contractOperation('Replied', newer)}>`;
      return { parameters, returned: `${returned} | undefined`, step: returned };
    }
    const returned = this.#typeAlias(labelOf(converter), `OlderReply<${older}>`);
    const step = `Awaited<${returned}>`;
    if (member === 'call') {
      const calls = this.#calls();
      const parameters = `request: OlderRequest<${contractOperation('Received', name)}>, operations: ${calls}`;
      return { parameters, returned, step };
    }
    const replied = contractOperation('Replied', newer);
    return { parameters: `reply: NewerReply<${replied}${this.#mapped(name)}>`, returned, step };
  }

  /** The values of an enum have a name of their own. */
  #schemaSignature(converter: NeededConverter): Signature {
    const { member, name } = converter;
    const [value, from, to] =
      member === 'toNew'
        ? (['SentValue', 'ReceivedValue<', 'Newer'] as const)
        : (['ReplyValue', 'ReplyValue<', 'Older'] as const);
    const received = member === 'toNew' ? 'Received' : 'Replied';
    const { enums } = this.#options.named;
    const ownEnum = enums[member === 'toNew' ? 'newer' : 'older'].get(
      `/components/schemas/${escapeToken(name)}`,
    );
    const returned =
      ownEnum ??
      this.#typeAlias(`${name} in ${labelOf(converter)}`, `${value}<${componentType(to, name)}>`);
    return {
      parameters: `value: ${from}${componentType(received, name)}>`,
      returned,
      step: returned,
    };
  }

  #typeAlias(text: string, type: string): string {
    const name = this.#options.named.identifiers.of(text);
    this.#texts.push(`export type ${name} = ${type};`);
    return name;
  }

  /** The statuses that the converter of a reply receives converted. */
  #mapped(name: string): string {
    const own = [...this.#plan.statuses].filter(([, { operations }]) => operations.includes(name));
    if (own.length === 0) return '';
    const types = own.map(
      ([status, { allowed }]) => `readonly ${status}: ${[...allowed, status].join(' | ')}`,
    );
    return `, { ${types.join('; ')} }`;
  }

  #calls(): string {
    if (this.#callsType !== undefined) return this.#callsType;
    const { newer, calls } = this.#options;
    const type = this.#options.named.identifiers.of('Calls');
    const members = newer.operations.map(({ operationId }) => {
      return `  readonly ${JSON.stringify(operationId)}: NewerOperation<${calls}[${JSON.stringify(operationId)}]>;\n`;
    });
    this.#texts.push(
      `/** The operations that a converter \`call\` may call. */\nexport interface ${type} {\n${members.join('')}}`,
    );
    this.#callsType = type;
    return type;
  }
}

export function isSchema(member: ConverterMember): boolean {
  return member === 'toNew' || member === 'toOld';
}

function changedParts({ changes }: NeededConverter): string[] {
  const parts = changes.map(({ part }) => {
    const [, where] = /^(path|query|header|cookie) parameter /.exec(part) ?? [];
    if (part.startsWith('querystring parameter ')) return 'query';
    return where ?? (part.startsWith('request body') ? 'body' : undefined);
  });
  return [...new Set(parts.filter((part) => part !== undefined))];
}

function converterDeclarations(plan: ConverterPlan, options: DeclarationOptions): string[] {
  const declarations = new Declarations(plan, options);
  const types = [
    ...GROUPS.map((group) => [group, declarations.group(plan[group], group)] as const),
    ['statuses', declarations.statuses()] as const,
  ];
  const members = types.flatMap(([name, type]) =>
    type === undefined ? [] : [`  readonly ${name}?: ${type};\n`],
  );
  const all = `/** \`satisfies Converters\` checks those of the application. */\nexport interface Converters {\n${members.join('')}}`;
  return [all, ...declarations.texts];
}

class Declarations {
  readonly texts: string[] = [];
  readonly #plan: ConverterPlan;
  readonly #options: DeclarationOptions;
  readonly #signatures: ConverterSignatures;

  constructor(plan: ConverterPlan, options: DeclarationOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#signatures = new ConverterSignatures(plan, options, this.texts);
  }

  group(converters: readonly NeededConverter[], kind: (typeof GROUPS)[number]): string | undefined {
    if (converters.length === 0) return undefined;
    const type = this.#identifier(`converters of ${kind}`);
    const byName = Map.groupBy(converters, ({ name }) => name);
    const members = Array.from(byName, ([name, own]) => {
      const used = operationsOf([...new Set(own.flatMap(({ operations }) => operations))]);
      const entry =
        kind === 'schemas' ? `converters of ${name} for ${used}` : `converters of ${name}`;
      const lines = [
        ...own.flatMap((neededConverter) => this.#members(neededConverter)),
        ...lossesOf(own),
      ];
      const interfaceName = this.#identifier(entry);
      this.texts.push(`export interface ${interfaceName} {\n${lines.join('')}}`);
      return `  readonly ${JSON.stringify(name)}?: ${interfaceName};\n`;
    });
    this.texts.push(`export type ${type} = {\n${members.join('')}};`);
    return type;
  }

  statuses(): string | undefined {
    const { statuses } = this.#plan;
    if (statuses.size === 0) return undefined;
    const members = Array.from(statuses.keys(), (status) => {
      return `  readonly ${status}?: ${this.#options.named.statuses.get(status)};\n`;
    });
    const type = this.#identifier('converted statuses');
    this.texts.push(`export type ${type} = {\n${members.join('')}};`);
    return type;
  }

  #identifier(text: string): string {
    return this.#options.named.identifiers.of(text);
  }

  #members(converter: NeededConverter): string[] {
    const { member, changes, name } = converter;
    const steps = changes.filter(({ isConstraint }) => isConstraint);
    const own = changes.filter(({ isConstraint }) => !isConstraint);
    const { parameters, returned, step } = this.#signatures.of(converter);
    const members: string[] = [];
    if (own.length > 0) {
      const title = isSchema(member)
        ? `${name} ${member === 'toNew' ? 'to new in' : 'to old in'}`
        : 'converter of';
      const type = this.#identifier(`${title} ${labelOf(converter)}`);
      this.texts.push(
        `${commentFor(converter, own)}\nexport interface ${type} {\n  (${parameters}): ${returned};\n}`,
      );
      members.push(`  readonly ${member}: ${type};\n`);
    }
    if (steps.length > 0) {
      const type = this.#identifier(
        `steps for ${isSchema(member) ? `${name} in ` : ''}${labelOf(converter)}`,
      );
      const lines = steps.map((convertedChange) => {
        return `  /** ${sentence(convertedChange)} */\n  readonly ${JSON.stringify(stepName(convertedChange))}: (converted: ${step}) => ${returned};\n`;
      });
      this.texts.push(`export interface ${type} {\n${lines.join('')}}`);
      members.push(`  readonly ${stepsOf(member)}: ${type};\n`);
    }
    return members;
  }
}

/** A converter `call` has no value that could come back. */
function lossesOf(converters: readonly NeededConverter[]): string[] {
  if (converters.every(({ member }) => member === 'call')) return [];
  return [
    '  /** What does not arrive as it was: properties, parameters, or values of an enum. */\n',
    '  readonly loses?: readonly string[];\n',
  ];
}

function sentence({ part, change }: ConvertedChange): string {
  const where = part === '' ? '' : `${part}: `;
  return commentOf(`${where}${change.what}. ${change.effect}`).replaceAll('*/', '*\\/');
}

function commentFor(converter: NeededConverter, changes: readonly ConvertedChange[]): string {
  const [first = '', ...others] = changes.map((change) => ` * - ${sentence(change)}`);
  return ['/**', ` * In ${labelOf(converter)}:`, first, ...others, ' */'].join('\n');
}

/** Of a sentence, in characters: the first line of the message has at most 200. */
const MAX_LENGTH = 140;

export function expectations(plan: ConverterPlan): string[] {
  const lines = neededFunctions(plan).map(expectation);
  if (lines.length === 0) return [];
  const comment = '/** A line for each converter: the compiler lists those that are missing. */';
  return [`${comment}\nexport type Missing = [\n${lines.join('')}];`];
}

function expectation({ path, keys, label, changes }: NeededFunction): string {
  const isStep = keys.length === 4;
  const given = keys.reduceRight((type, key, at) => {
    return `{ ${at % 2 === 0 ? key : JSON.stringify(key)}: ${type} }`;
  }, 'AnyConverter');
  const [first, ...others] = changes;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const because = isStep ? '' : `: ${stepName(first!)}${more}`;
  const text = `${label}: expected ${path}${because}`;
  const short = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
  return `  Expected<typeof converters extends ${given} ? true : ${JSON.stringify(short)}>,\n`;
}

interface VersionTypesOptions {
  readonly version: string;
  readonly older: Contract;
  readonly newer: Contract;
  /** The module of the types of the newer contract, if there is one; else they are written for `call`. */
  readonly newerTypes?: string | undefined;
  /** The path of the module that exports the converters, relative to the project. */
  readonly converters: string;
}

/** The folder of the generated types, relative to the project. */
export const VERSIONS = 'generated/versions';

const CURRENT = 'CurrentOperations';

const IMPORTED = [
  ...['AnyConverter', 'NewerOperation', 'Expected', 'StreamItemOf', 'MaybePromise', 'NewerReply'],
  ...['OlderReply', 'OlderRequest', 'ReceivedValue', 'ReplyValue', 'ConvertedParts'],
  ...['NewerRequest', 'SentValue', 'Undeclared'],
];

/** @returns the text, and what the application must write for it */
export function versionTypes(options: VersionTypesOptions) {
  const { version, older, newer, newerTypes, converters } = options;
  const plan = converterPlan(older, newer);
  const named = namedTypes(plan, { older, newer });
  const hasNewerTypes = newerTypes !== undefined;
  const { namespaces, marks } = contractTypes(plan, { older, newer, named, hasNewerTypes });
  const expected = expectations(plan);
  const body = [
    ...converterDeclarations(plan, {
      ...{ newer, named, pairs: operationPairs(older, newer) },
      calls: newerTypes === undefined ? 'Newer.operations' : CURRENT,
    }),
    ...expected,
    ...named.declarations,
    ...namespaces,
  ].join('\n\n');
  const used = IMPORTED.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const imports = [
    ...importOf(body.includes(`${CURRENT}[`) ? [`operations as ${CURRENT}`] : [], `${newerTypes}`),
    ...importOf(marks, 'stubwright'),
    ...importOf(used, '@stubwright/versions'),
    ...importOf(expected.length === 0 ? [] : ['converters'], relative(VERSIONS, converters)),
  ];
  const next = newer.version ?? 'the current version';
  const title = `// The converters between ${version} and ${next}. Generated from both contracts; edit those.`;
  return { plan, text: `${title}\n${imports.join('\n')}\n\n${body}\n` };
}

function importOf(names: readonly string[], module: string): string[] {
  return names.length === 0 ? [] : [`import type { ${names.join(', ')} } from '${module}';`];
}
