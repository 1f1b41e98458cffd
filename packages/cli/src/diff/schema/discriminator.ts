// Compares discriminators by the schemas that their values select.
import { became, canonical } from '../formatting.ts';
import type { SchemaFinding } from './finding.ts';
import { termOf } from './term.ts';
import { View } from './view.ts';

/** OpenAPI 3.1.1, section 4.8.25. */
interface Discriminator {
  readonly propertyName?: unknown;
  readonly mapping?: Readonly<Record<string, string>>;
}

/** The pointer of a selected schema. */
type Target = string;

const SCHEMAS = '/components/schemas/';

export function discriminatorFindings(before: View, after: View): SchemaFinding[] {
  const [was, is] = [discriminatorOf(before), discriminatorOf(after)];
  const at = { before: before.at('discriminator'), after: after.at('discriminator') };
  if (was?.propertyName !== is?.propertyName) {
    const what = became('discriminator', was?.propertyName, is?.propertyName);
    const outcome =
      was === undefined || is === undefined
        ? (['risky', 'SDKs select the schema of a value in another way.'] as const)
        : (['breaking', 'Another property selects the schema of a value.'] as const);
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    const outcomes = { request: outcome, response: outcome };
    return [{ rule: `discriminator-${change}`, kind: 'explicit', what, ...at, outcomes }];
  }
  if (was === undefined || is === undefined) return [];
  const [old, now] = [mappingOf(before, was), mappingOf(after, is)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((value): SchemaFinding[] => {
    const [from, to] = [old.get(value), now.get(value)];
    const name = (target: Target | undefined) => `${value} for ${target?.split('/').at(-1)}`;
    if (to === undefined) {
      const what = `the mapping ${name(from)} was removed`;
      const rule = 'discriminator-mapping-removed';
      return [{ rule, kind: 'narrower', what, values: value, ...at }];
    }
    if (from === undefined) {
      const rule = 'discriminator-mapping-added';
      const what = `the mapping ${name(to)} was added`;
      return [{ rule, kind: 'wider', what, values: value, ...at }];
    }
    if (areSame(from, to, before, after)) return [];
    const what = `the mapping ${name(from)} became ${name(to)}`;
    const rule = 'discriminator-mapping-changed';
    return [{ rule, kind: 'other', what, lost: name(from), gained: name(to), ...at }];
  });
}

/** Where a branch is chosen already, the discriminator was compared with the branches. */
function discriminatorOf({ conjuncts }: View): Discriminator | undefined {
  return conjuncts
    .filter(({ chosen }) => chosen.length === 0)
    .map(({ schema }) => schema.keywords['discriminator'])
    .find((each) => each !== undefined);
}

/**
 * @returns the schema that each value selects. The name of a schema without a value in `mapping` is its
 *   implicit value. Values that the schema itself refuses are omitted.
 */
function mappingOf(view: View, { propertyName, mapping = {} }: Discriminator): Map<string, Target> {
  const explicit = new Map(Object.entries(mapping).map(([value, to]) => [value, targetOf(to)]));
  const mapped = new Set(explicit.values());
  const implicit = branchTargets(view)
    .filter((target) => !mapped.has(target))
    .map((target) => [target.slice(target.lastIndexOf('/') + 1), target] as const);
  const all = new Map([...implicit, ...explicit]);
  return new Map(
    [...all].filter(([value, target]) => isPossible(view, target, String(propertyName), value)),
  );
}

/** A mapping holds a URI reference or the name of a component. */
function targetOf(to: string): Target {
  return to.startsWith('#') ? to.slice(1) : /[/#.]/.test(to) ? to : SCHEMAS + to;
}

function branchTargets({ conjuncts }: View): Target[] {
  return conjuncts
    .filter(({ schema }) => schema.has('discriminator'))
    .flatMap(({ schema }) => [...schema.list('oneOf'), ...schema.list('anyOf')])
    .flatMap(({ ref }) => (ref?.pointer.startsWith(SCHEMAS) ? [ref.pointer] : []));
}

function isPossible(view: View, target: Target, property: string, value: string): boolean {
  const schema = view.conjuncts[0]!.schema.model.at(target);
  if (schema === undefined) return true;
  const inner = new View(view.direction, termOf(schema, target), view.wire).property(property);
  return !inner.isEnumerated || inner.accepts(value);
}

/** A schema whose name is gone was renamed; the branches compare its content. */
function areSame(was: Target, is: Target, before: View, after: View): boolean {
  if (was === is) return true;
  const [old, now] = [before, after].map((view) => view.conjuncts[0]!.schema.model);
  if (now!.at(was) === undefined || old!.at(is) === undefined) return true;
  return canonical(old!.at(was)!.written) === canonical(now!.at(is)!.written);
}
