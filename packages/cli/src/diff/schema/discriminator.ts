// Compares discriminators by the schemas that their values select.
import { type Discriminator, discriminatorsOf, type Schema } from 'stubwright/contract';
import { became, canonical } from '../formatting.ts';
import type { SchemaFinding } from './finding.ts';
import type { SubschemaComparison, SubschemaPair } from './subschema.ts';
import { termOf } from './term.ts';
import { View } from './view.ts';

type Selected = ReadonlyMap<string, Schema>;

const ANOTHER_WAY = ['risky', 'SDKs select the schema of a value in another way.'] as const;

export function discriminatorComparison(before: View, after: View): SubschemaComparison {
  const [was, is] = [discriminatorOf(before), discriminatorOf(after)];
  const at = { before: before.at('discriminator'), after: after.at('discriminator') };
  if (was?.propertyName !== is?.propertyName) {
    const what = became('discriminator', was?.propertyName, is?.propertyName);
    const outcome =
      was === undefined || is === undefined
        ? ANOTHER_WAY
        : (['breaking', 'Another property selects the schema of a value.'] as const);
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    const outcomes = { request: outcome, response: outcome };
    const rule = `discriminator-${change}`;
    return { findings: [{ rule, kind: 'explicit', what, ...at, outcomes }], subschemas: [] };
  }
  if (was === undefined || is === undefined) return { findings: [], subschemas: [] };
  const [old, now] = [selectedBy(before, was), selectedBy(after, is)];
  const values = [...new Set([...old.keys(), ...now.keys()])];
  return {
    findings: [
      ...values.flatMap((value): SchemaFinding[] => {
        const [from, to] = [old.get(value), now.get(value)];
        const finding = selectionFinding(value, from, to);
        if (finding === undefined) return [];
        const [selected, other] = to === undefined ? [from!, was] : [to, is];
        const isByName =
          from === undefined || to === undefined ? isInherited(selected, other) : false;
        return [{ ...(isByName ? byName(finding) : finding), ...at }];
      }),
      ...fallbackFindings(was, is).map((each) => ({ ...each, ...at })),
    ],
    subschemas: values.flatMap((value) => inheritedPair(value, [old, was], [now, is])),
  };
}

/** Where a branch is chosen already, the discriminator was compared with the branches. */
function discriminatorOf({ conjuncts, term }: View): Discriminator | undefined {
  const open = conjuncts.filter(({ chosen }) => chosen.length === 0).map(({ schema }) => schema);
  return (term.roots ?? [])
    .flatMap((root) => discriminatorsOf(root))
    .find(({ holder }) => open.includes(holder));
}

/**
 * @returns the schema that each value selects. The name of a schema with a value in `mapping` is omitted,
 *   and values that the schema itself refuses.
 */
function selectedBy(view: View, { propertyName, schemas, holder }: Discriminator): Selected {
  const mapping: unknown = holder.keywords.discriminator.mapping;
  const isMapped = (value: string) => Object.hasOwn(Object(mapping), value);
  const mapped = new Set([...schemas].flatMap(([value, to]) => (isMapped(value) ? [to] : [])));
  return new Map(
    [...schemas].filter(
      ([value, target]) =>
        (isMapped(value) || !mapped.has(target)) && isPossible(view, target, propertyName, value),
    ),
  );
}

function isPossible(view: View, target: Schema, property: string, value: string): boolean {
  const inner = new View(view.direction, termOf(target, target.pointer), view.wire);
  const selecting = inner.property(property);
  return !selecting.isEnumerated || selecting.accepts(value);
}

type Change =
  | { readonly kind: 'narrower' | 'wider'; readonly values: string }
  | { readonly kind: 'other'; readonly lost: string; readonly gained: string };
type Selection = { readonly rule: string; readonly what: string } & Change;

function selectionFinding(
  value: string,
  from: Schema | undefined,
  to: Schema | undefined,
): Selection | undefined {
  const name = (target: Schema) => `${value} for ${target.pointer.split('/').at(-1)}`;
  if (to === undefined) {
    const what = `the mapping ${name(from!)} was removed`;
    return { rule: 'discriminator-mapping-removed', kind: 'narrower', what, values: value };
  }
  if (from === undefined) {
    const what = `the mapping ${name(to)} was added`;
    return { rule: 'discriminator-mapping-added', kind: 'wider', what, values: value };
  }
  if (areSame(from, to)) return undefined;
  const what = `the mapping ${name(from)} became ${name(to)}`;
  const [lost, gained] = [name(from), name(to)];
  return { rule: 'discriminator-mapping-changed', kind: 'other', what, lost, gained };
}

/** A schema whose name is gone was renamed; the branches compare its content. */
function areSame(was: Schema, is: Schema): boolean {
  if (was.pointer === is.pointer) return true;
  const [renamed, older] = [is.model.at(was.pointer), was.model.at(is.pointer)];
  if (renamed === undefined || older === undefined) return true;
  return canonical(was.written) === canonical(is.written);
}

/** True for a schema that extends the one with the discriminator, and is neither mapped nor a branch. */
function isInherited(target: Schema, discriminator: Discriminator): boolean {
  const { holder } = discriminator;
  const mapping: unknown = holder.keywords.discriminator.mapping;
  const names = Object.values(Object(mapping)).map(String);
  const name = target.pointer.split('/').at(-1)!;
  const isMapped = names.some((each) => each === name || each.endsWith(`/${name}`));
  return !isMapped && !isBranch(target, discriminator);
}

/** The schema with the discriminator allows the same values with and without the extending schema. */
function byName({ rule, what }: Selection) {
  const outcomes = { request: ANOTHER_WAY, response: ANOTHER_WAY };
  return { rule, what, kind: 'explicit', outcomes } as const;
}

function fallbackFindings(was: Discriminator, is: Discriminator) {
  const [from, to] = [was, is].map(({ fallback }) => fallback?.pointer.split('/').at(-1));
  if (from === to) return [];
  const what = became('defaultMapping', from, to);
  const outcomes = { request: ANOTHER_WAY, response: ANOTHER_WAY };
  return [{ rule: 'discriminator-mapping-changed', kind: 'explicit', what, outcomes } as const];
}

/**
 * A discriminator never changes a validation: a schema that only it selects restricts no value, and SDKs
 * read the value by it.
 */
function inheritedPair(
  value: string,
  [old, was]: readonly [Selected, Discriminator],
  [now, is]: readonly [Selected, Discriminator],
): SubschemaPair[] {
  const [from, to] = [old.get(value), now.get(value)];
  if (from === undefined || to === undefined || !areSame(from, to)) return [];
  if (isBranch(from, was) || isBranch(to, is)) return [];
  const [before, after] = [termOf(from, from.pointer), termOf(to, to.pointer)];
  return [{ path: `(${value})`, before, after, polarity: 'unclear' }];
}

function isBranch(target: Schema, { holder }: Discriminator): boolean {
  return [...holder.list('oneOf'), ...holder.list('anyOf')].some(({ ref }) => ref === target);
}
