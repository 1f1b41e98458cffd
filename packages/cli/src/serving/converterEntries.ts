// Collects the changes of converters, one entry for each.
import type { Change } from '@stubwright/diff';
import type { ConverterMember } from './conversions.ts';

/** A breaking change, as a converter names it. */
export interface ConvertedChange {
  readonly change: Change;
  /** The part of the component or operation: `/names`, `query parameter limit`. */
  readonly part: string;
  /** True if a step converts it, by the name `<part> <change>`: types do not show it. */
  readonly isConstraint: boolean;
}

export interface NeededConverter<Member extends ConverterMember = ConverterMember> {
  /** A component of `components.schemas`, or an operationId of the older contract. */
  readonly name: string;
  readonly member: Member;
  /** The operationIds of the older contract that it applies to, in the order of the contract. */
  readonly operations: readonly string[];
  readonly changes: readonly ConvertedChange[];
}

export class ConverterEntries<Member extends ConverterMember> {
  readonly #entries: NeededConverter<Member>[] = [];

  /** @param operations that the converter applies to, of those in `sorted` */
  add(
    converter: { readonly name: string; readonly member: Member },
    change: ConvertedChange,
    operations: readonly string[],
  ): void {
    this.#entries.push({ ...converter, operations, changes: [change] });
  }

  /** @param order of operations @returns the converters, in the order of their first operations */
  sorted(order: readonly string[]): NeededConverter<Member>[] {
    const byConverter = Map.groupBy(this.#entries, ({ member, name }) => `${member} ${name}`);
    const all = Array.from(byConverter.values(), (entries) => {
      const used = new Set(entries.flatMap(({ operations }) => operations));
      const operations = order.filter((each) => used.has(each));
      const changes = entries.flatMap((each) => each.changes);
      const described = Map.groupBy(changes, ({ part, change }) => `${part} ${change.what}`);
      return {
        ...entries[0]!,
        operations,
        changes: [...described.values()].map(([first]) => first!),
      };
    });
    const positionOf = ({ operations: [first = ''] }: NeededConverter) => order.indexOf(first);
    return all.sort((a, b) => positionOf(a) - positionOf(b));
  }
}
