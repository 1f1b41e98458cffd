// The types that converters receive and return.
import { type Contract, escapeToken, type Operation } from '@stubwright/contract';
import { componentType, contractOperation } from './contractTypes.ts';
import type { ConverterMember } from './conversions.ts';
import type { NeededConverter } from './converterEntries.ts';
import { labelOf } from './converterNames.ts';
import type { ConverterPlan } from './converterPlan.ts';
import type { NamedTypes } from './namedTypes.ts';

export interface DeclarationOptions {
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

export class ConverterSignatures {
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
        .map((each) => JSON.stringify(each))
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
  return [...new Set(parts.filter((each) => each !== undefined))];
}
