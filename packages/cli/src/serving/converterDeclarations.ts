// The interfaces of converters, and `Converters`, which lists them.
import { commentOf } from '../project/names.ts';
import { stepsOf } from './conversions.ts';
import type { ConvertedChange, NeededConverter } from './converterEntries.ts';
import { labelOf, operationsOf } from './converterNames.ts';
import { type ConverterPlan, GROUPS, stepName } from './converterPlan.ts';
import { ConverterSignatures, type DeclarationOptions, isSchema } from './converterSignatures.ts';

export function converterDeclarations(plan: ConverterPlan, options: DeclarationOptions): string[] {
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
      const lines = [...own.flatMap((each) => this.#members(each)), ...lossesOf(own)];
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
      const lines = steps.map((each) => {
        return `  /** ${sentence(each)} */\n  readonly ${JSON.stringify(stepName(each))}: (converted: ${step}) => ${returned};\n`;
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
  const [first = '', ...others] = changes.map((each) => ` * - ${sentence(each)}`);
  return ['/**', ` * In ${labelOf(converter)}:`, first, ...others, ' */'].join('\n');
}
