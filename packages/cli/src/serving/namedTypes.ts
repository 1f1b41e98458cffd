// The names of the types of enums and statuses: a message of the compiler for a wrong value consists of them.
import { type Contract, isObject, valueAt } from '@stubwright/contract';
import type { NeededConverter } from './converterEntries.ts';
import { labelOf, operationsOf, TypeIdentifiers } from './converterNames.ts';
import { type ConverterPlan, flatMapConverters } from './converterPlan.ts';

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
  for (const converter of flatMapConverters(plan, (each) => [each])) {
    const side = isRequest(converter) ? 'newer' : 'older';
    for (const { pointer, name } of enumsOf(converter, side)) {
      const values = enums[side].has(pointer) ? undefined : valuesAt(contracts[side], pointer);
      if (values === undefined) continue;
      const type = identifiers.of(`${name} in ${labelOf(converter)}`);
      enums[side].set(pointer, type);
      declarations.push(
        `export type ${type} = ${values.map((each) => JSON.stringify(each)).join(' | ')};`,
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
    Array.isArray(values) && values.length > 1 && values.every((each) => typeof each === 'string');
  return isNamed ? values : undefined;
}
