// Limits how many references follow each other, and how many schemas apply to one value.
import { COMPOSITIONS, isObject, SAME_VALUE } from '@stubwright/contract';
import type { FieldKind } from '@stubwright/contract/openapi-table';
import {
  childOf,
  type Issue,
  isReference,
  issueAt,
  kindOfProperty,
  MAX_REFS_IN_A_ROW,
  type ReferenceResolver,
  Reporter,
  type ReportIssue,
  referrerOf,
  targetOf,
  type Visit,
  visitAt,
} from './walk.ts';
import type { Walked } from './walkContract.ts';

/** Schemas for the same value: a validation recurses as deep. Published contracts need 156. */
const MAX_SCHEMAS_IN_A_ROW = 1_000;

/** The keywords of subschemas for the same value. */
const IN_PLACE = [...SAME_VALUE, ...COMPOSITIONS, 'dependentSchemas'];
const SCHEMA: FieldKind = { is: 'object', of: 'Schema' };

/** Reports circular references. @returns the first value beyond a limit */
export function checkLimits(
  { visits, referrers: found }: Walked,
  references: ReferenceResolver,
  { minor, report }: { readonly minor: number; readonly report: ReportIssue },
): Issue | undefined {
  const beyond = { code: 'limits', isError: true };
  const reporter = new Reporter(report, 'refs');
  for (const visit of found) {
    const row = rowOf(visit, references);
    if (row === 'circular') {
      const { $ref } = visit.node as { $ref: string };
      const message = `$ref cannot be resolved: ${$ref} (it is circular)  expected a location in this or another file`;
      reporter.error(visit, message, { keys: ['$ref'] });
    } else if (row > MAX_REFS_IN_A_ROW) {
      const expected = `expected at most ${MAX_REFS_IN_A_ROW} $refs in a row`;
      return issueAt(visit, `the contract is nested too deep  ${expected}`, beyond);
    }
  }
  const isSchema = ({ kind }: Visit) => kind.is === 'object' && kind.of === 'Schema';
  const schemas = [...visits, ...found].filter(isSchema);
  if (schemas.length <= MAX_SCHEMAS_IN_A_ROW) return undefined;
  const deep = deepest(schemas, (visit) => inPlace(visit, references, minor));
  return deep && issueAt(deep, tooDeep(MAX_SCHEMAS_IN_A_ROW), beyond);
}

export function tooDeep(levels: number): string {
  return `the contract is nested too deep  expected at most ${levels} levels of nested references`;
}

/** @returns the number of references in a row; that of a circle counts each once */
function rowOf(start: Visit, references: ReferenceResolver): number | 'circular' {
  const seen = new Set<unknown>();
  let at: Visit | undefined = start;
  while (isReference(at?.node) && !seen.has(at.node) && seen.size <= MAX_REFS_IN_A_ROW) {
    seen.add(at.node);
    at = targetOf(at, references);
  }
  return at?.node === start.node && seen.has(start.node) ? 'circular' : seen.size;
}

/** @yields the schemas for the same value */
function* inPlace(visit: Visit, references: ReferenceResolver, minor: number): Generator<Visit> {
  const { node } = visit;
  if (!isObject(node)) return;
  const target = targetOf(visit, references);
  if (target !== undefined) yield target;
  for (const keyword of IN_PLACE) {
    const kind = node[keyword] === undefined ? undefined : kindOfProperty(visit, keyword, minor);
    if (kind === undefined) continue;
    const child = childOf(visit, keyword, kind, minor);
    if (kind.is === 'object') yield child;
    else if (kind.is === 'list' || kind.is === 'map') {
      for (const key of Object.keys(Object(child.node))) yield childOf(child, key, kind.of, minor);
    }
  }
  const mapping: unknown = Object(node.discriminator).mapping;
  for (const ref of Object.values(isObject(mapping) ? mapping : {})) {
    if (typeof ref !== 'string' || !/[/.#]/.test(ref)) continue;
    const found = references.resolve(ref, referrerOf(visit));
    if (found) yield visitAt(found.file, found.pointer, found.node, SCHEMA);
  }
}

/** A schema on the way from the first. */
interface Step {
  readonly visit: Visit;
  readonly next: Iterator<Visit>;
  height: number;
}

/** @returns a value from which a path is too long; none is on the call stack */
function deepest(
  starts: readonly Visit[],
  edgesOf: (visit: Visit) => Iterator<Visit>,
): Visit | undefined {
  /** 0 for one on the way. */
  const heights = new Map<unknown, number>();
  for (const start of starts) {
    const path: Step[] = [];
    const enter = (visit: Visit) => {
      heights.set(visit.node, 0);
      path.push({ visit, next: edgesOf(visit), height: 0 });
    };
    if (!heights.has(start.node)) enter(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { value: visit, done } = step.next.next();
      if (done) {
        path.pop();
        heights.set(step.visit.node, step.height + 1);
        const before = path.at(-1);
        if (before !== undefined) before.height = Math.max(before.height, step.height + 1);
        continue;
      }
      const height = heights.get(visit.node);
      if (path.length + (height ?? 0) >= MAX_SCHEMAS_IN_A_ROW) return visit;
      if (height === undefined && isObject(visit.node)) enter(visit);
      else step.height = Math.max(step.height, height ?? 0);
    }
  }
  return undefined;
}
