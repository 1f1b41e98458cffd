// The interfaces of converters, and `Converters`, which lists them.
import type { Contract, Operation } from '@stubwright/contract';
import { commentOf } from '../project/names.ts';
import { componentType, operationType } from './contractTypes.ts';
import type { ConverterMember } from './conversions.ts';
import { labelOf, operationsOf } from './converterNames.ts';
import type { ConvertedChange, ConverterPlan, NeededConverter } from './converterPlan.ts';
import type { NamedTypes } from './namedTypes.ts';

export interface DeclarationOptions {
  readonly newer: Contract;
  /** The newer operations, by operationId of the older contract. */
  readonly pairs: ReadonlyMap<string, Operation>;
  readonly named: NamedTypes;
  /** The type of the operations that a converter `call` may call. */
  readonly calls: string;
}

export function converterDeclarations(plan: ConverterPlan, options: DeclarationOptions): string[] {
  const declarations = new Declarations(plan, options);
  const schemas = declarations.group(plan.schemas, 'schemas');
  const operations = declarations.group(plan.operations, 'operations');
  const statuses = declarations.statuses();
  const members = [
    ...(schemas === undefined ? [] : [`  readonly schemas?: ${schemas};`]),
    ...(operations === undefined ? [] : [`  readonly operations?: ${operations};`]),
    ...(statuses === undefined ? [] : [`  readonly statuses?: ${statuses};`]),
  ];
  const all = `/** \`satisfies Converters\` checks those of the application. */\nexport interface Converters {\n${members.map((each) => `${each}\n`).join('')}}`;
  return [all, ...declarations.texts];
}

/** The member of the steps that convert constraints. */
export function stepsOf(member: ConverterMember): string {
  return `${member}Steps`;
}

/** @returns `/note maxLength 100 became 50` */
export function stepName({ part, change }: ConvertedChange): string {
  return commentOf(part === '' ? change.what : `${part} ${change.what}`);
}

/** The types of a function that converts, and of its steps. */
interface Signature {
  readonly parameters: string;
  readonly returned: string;
  /** The parameter of a step: the converted value. */
  readonly step: string;
}

class Declarations {
  readonly texts: string[] = [];
  readonly #plan: ConverterPlan;
  readonly #options: DeclarationOptions;

  constructor(plan: ConverterPlan, options: DeclarationOptions) {
    this.#plan = plan;
    this.#options = options;
  }

  /** @returns the name of the type; undefined without converters */
  group(
    converters: readonly NeededConverter[],
    kind: 'schemas' | 'operations',
  ): string | undefined {
    if (converters.length === 0) return undefined;
    const type = this.#identifier(`converters of ${kind}`);
    const byName = Map.groupBy(converters, ({ name }) => name);
    const members = Array.from(byName, ([name, own]) => {
      const used = operationsOf([...new Set(own.flatMap(({ operations }) => operations))]);
      const entry =
        kind === 'schemas' ? `converters of ${name} for ${used}` : `converters of ${name}`;
      const lines = own.flatMap((each) => this.#members(each));
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
    const [steps, own] = [true, false].map((isStep) =>
      changes.filter(({ isConstraint }) => isConstraint === isStep),
    ) as [ConvertedChange[], ConvertedChange[]];
    const { parameters, returned, step } = this.#signature(converter);
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
      const lines = steps.map((each) => {
        return `  /** ${sentence(each)} */\n  readonly ${JSON.stringify(stepName(each))}: (converted: ${step}) => ${returned};\n`;
      });
      this.texts.push(`export interface ${type} {\n${lines.join('')}}`);
      members.push(`  readonly ${stepsOf(member)}: ${type};\n`);
    }
    return members;
  }

  #signature(converter: NeededConverter): Signature {
    const { member, name } = converter;
    if (isSchema(member)) return this.#schemaSignature(converter);
    const newer = this.#options.pairs.get(name)?.operationId ?? '';
    const [older, next] = [operationType('Older', name), operationType('Newer', newer)];
    if (member === 'request') {
      const parts = changedParts(converter)
        .map((each) => JSON.stringify(each))
        .join(' | ');
      const returned = this.#alias(
        converter,
        `MaybePromise<ConvertedParts<${next}, ${parts || 'never'}>>`,
      );
      const parameters = `request: OlderRequest<${operationType('Received', name)}>`;
      return { parameters, returned, step: `NewerRequest<${next}>` };
    }
    if (member === 'item') {
      const returned = this.#alias(converter, `StreamItemOf<${older}>`);
      const parameters = `item: StreamItemOf<${operationType('Replied', newer)}>`;
      return { parameters, returned: `${returned} | undefined`, step: returned };
    }
    const returned = this.#alias(converter, `OlderReply<${older}>`);
    const step = `Awaited<${returned}>`;
    if (member === 'call') {
      const calls = this.#calls();
      const parameters = `request: OlderRequest<${operationType('Received', name)}>, operations: ${calls}`;
      return { parameters, returned, step };
    }
    const replied = operationType('Replied', newer);
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
      `/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
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

  #alias(converter: NeededConverter, type: string): string {
    return this.#typeAlias(labelOf(converter), type);
  }

  #typeAlias(text: string, type: string): string {
    const name = this.#identifier(text);
    this.texts.push(`export type ${name} = ${type};`);
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

  #callsType: string | undefined;

  /** One interface for all converters `call`. */
  #calls(): string {
    if (this.#callsType !== undefined) return this.#callsType;
    const { newer, calls } = this.#options;
    const type = this.#identifier('Calls');
    const members = newer.operations.map(({ operationId }) => {
      return `  readonly ${JSON.stringify(operationId)}: NewerOperation<${calls}[${JSON.stringify(operationId)}]>;\n`;
    });
    this.texts.push(
      `/** The operations that a converter \`call\` may call. */\nexport interface ${type} {\n${members.join('')}}`,
    );
    this.#callsType = type;
    return type;
  }
}

function isSchema(member: ConverterMember): boolean {
  return member === 'toNew' || member === 'toOld';
}

/** The parts of a request that a converter must return. */
function changedParts({ changes }: NeededConverter): string[] {
  const parts = changes.map(({ part }) => {
    const [, where] = /^(path|query|header|cookie) parameter /.exec(part) ?? [];
    if (part.startsWith('querystring parameter ')) return 'query';
    return where ?? (part.startsWith('request body') ? 'body' : undefined);
  });
  return [...new Set(parts.filter((each) => each !== undefined))];
}

function sentence({ part, change }: ConvertedChange): string {
  const where = part === '' ? '' : `${part}: `;
  return commentOf(`${where}${change.what}. ${change.effect}`).replaceAll('*/', '*\\/');
}

function commentFor(converter: NeededConverter, changes: readonly ConvertedChange[]): string {
  const [first = '', ...others] = changes.map((each) => ` * - ${sentence(each)}`);
  return ['/**', ` * In ${labelOf(converter)}:`, first, ...others, ' */'].join('\n');
}
