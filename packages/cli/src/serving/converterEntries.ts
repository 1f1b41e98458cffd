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

/** One member of a converter. */
export interface NeededConverter<Member extends ConverterMember = ConverterMember> {
  /** A component of `components.schemas`, an operationId of the older contract, or a webhook. */
  readonly name: string;
  readonly member: Member;
  /** The operationIds of the older contract that it applies to, in the order of the contract, and the webhooks. */
  readonly operations: readonly string[];
  readonly changes: readonly ConvertedChange[];
}

interface Entry {
  readonly name: string;
  readonly member: ConverterMember;
  readonly operations: Set<string>;
  readonly changes: Map<string, ConvertedChange>;
}

export class ConverterEntries<Member extends ConverterMember> {
  readonly #entries = new Map<string, Entry>();

  /** @param operations that the converter applies to, of those in `sorted` */
  add(
    converter: { readonly name: string; readonly member: Member },
    change: ConvertedChange,
    operations: Iterable<string>,
  ): void {
    const key = `${converter.member} ${converter.name}`;
    const entry = this.#entries.get(key) ?? {
      ...{ ...converter, operations: new Set(), changes: new Map() },
    };
    this.#entries.set(key, entry);
    for (const each of operations) entry.operations.add(each);
    const described = `${change.part} ${change.change.what}`;
    if (!entry.changes.has(described)) entry.changes.set(described, change);
  }

  /** @param order of operations @returns the converters, in the order of their first operations */
  sorted(order: readonly string[]): NeededConverter<Member>[] {
    const all = Array.from(this.#entries.values(), ({ operations, changes, ...entry }) => ({
      ...(entry as { readonly name: string; readonly member: Member }),
      operations: order.filter((each) => operations.has(each)),
      changes: [...changes.values()],
    }));
    const positionOf = ({ operations: [first = ''] }: NeededConverter) => order.indexOf(first);
    return all.sort((a, b) => positionOf(a) - positionOf(b));
  }
}
