// Compares discriminators by the schemas that their values select.
import { type Discriminator, discriminatorsOf, type Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import {
  findingOf,
  type SchemaFinding,
  type SubschemaComparison,
  type SubschemaPair,
} from './schemaFinding.ts';
import { termOf } from './term.ts';
import { View } from './view.ts';

type Selected = ReadonlyMap<string, Schema>;

export function discriminatorComparison(before: View, after: View): SubschemaComparison {
  const [was, is] = [discriminatorOf(before), discriminatorOf(after)];
  const at = { before: before.at('discriminator'), after: after.at('discriminator') };
  if (was?.propertyName !== is?.propertyName) {
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    const facts = { was: was?.propertyName, is: is?.propertyName };
    return { findings: [findingOf(`discriminator-${change}`, facts, at)], subschemas: [] };
  }
  if (was === undefined || is === undefined) return { findings: [], subschemas: [] };
  const [old, now] = [selectedBy(before, was), selectedBy(after, is)];
  const values = [...new Set([...old.keys(), ...now.keys()])];
  return {
    findings: [
      ...values.flatMap((value): SchemaFinding[] => {
        const [from, to] = [old.get(value), now.get(value)];
        if (from === undefined) {
          const facts = { value, target: nameOf(to!), isByName: isInherited(to!, is) };
          return [findingOf('discriminator-mapping-added', facts, at)];
        }
        if (to === undefined) {
          const facts = { value, target: nameOf(from), isByName: isInherited(from, was) };
          return [findingOf('discriminator-mapping-removed', facts, at)];
        }
        if (areSame(from, to)) return [];
        const facts = { value, was: nameOf(from), is: nameOf(to) };
        return [findingOf('discriminator-mapping-changed', facts, at)];
      }),
      ...fallbackFindings(was, is, at),
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
 *   the name of the alternatives as a whole, and values that the schema itself refuses.
 */
function selectedBy(view: View, { propertyName, schemas, holder }: Discriminator): Selected {
  const mapping: unknown = holder.keywords.discriminator.mapping;
  const isMapped = (value: string) => Object.hasOwn(Object(mapping), value);
  const omitted = new Set([...schemas].flatMap(([value, to]) => (isMapped(value) ? [to] : [])));
  if (holder.has('oneOf') || holder.has('anyOf')) omitted.add(holder);
  return new Map(
    [...schemas].filter(
      ([value, target]) =>
        (isMapped(value) || !omitted.has(target)) && isPossible(view, target, propertyName, value),
    ),
  );
}

function isPossible(view: View, target: Schema, property: string, value: string): boolean {
  const inner = new View(view.direction, termOf(target, target.pointer), view.wire);
  const selecting = inner.property(property);
  return !selecting.isEnumerated || selecting.accepts(value);
}

function nameOf({ pointer }: Schema): string {
  return pointer.split('/').at(-1)!;
}

/** True for a schema that extends the one with the discriminator, and is neither mapped nor a branch. */
function isInherited(target: Schema, discriminator: Discriminator): boolean {
  const { holder } = discriminator;
  const mapping: unknown = holder.keywords.discriminator.mapping;
  const names = Object.values(Object(mapping)).map(String);
  const name = nameOf(target);
  const isMapped = names.some((other) => other === name || other.endsWith(`/${name}`));
  return !isMapped && !isBranch(target, discriminator);
}

/** A schema whose name is gone was renamed to a name that is new; the branches compare its content. */
function areSame(was: Schema, is: Schema): boolean {
  if (was.pointer === is.pointer) return true;
  const isRenamed =
    is.model.at(was.pointer) === undefined && was.model.at(is.pointer) === undefined;
  return isRenamed || canonical(was.written) === canonical(is.written);
}

function fallbackFindings(
  { fallback: was }: Discriminator,
  { fallback: is }: Discriminator,
  at: { readonly before: string; readonly after: string },
): SchemaFinding[] {
  if (was === is || (was !== undefined && is !== undefined && areSame(was, is))) return [];
  const facts = { value: undefined, was: was && nameOf(was), is: is && nameOf(is) };
  return [findingOf('discriminator-mapping-changed', facts, at)];
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
