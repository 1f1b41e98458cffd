// Limits how many references follow each other, and how many schemas apply to one value; finds schemas that apply or
// require themselves.
import {
  COMPOSITIONS,
  type Contract,
  describeCycle,
  isHidden,
  isObject,
  reachableSchemas,
  SAME_VALUE,
  type Schema,
  SchemaModel,
  schemaCycles,
  schemaLocations,
} from '@stubwright/contract';
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

interface CycleError {
  /** JSON pointer in the bundled document. */
  readonly pointer: string;
  /** `error  expectation` */
  readonly text: string;
  /** Each as `get /toys`. */
  readonly operations: readonly string[];
}

export function cycleErrors(definition: Contract): CycleError[] {
  const cycles = schemaCycles(definition);
  if (cycles.length === 0) return [];
  const reached = definition.operations.map(({ route, requestSchemas, responseSchemas }) => {
    return [route, reachableSchemas([...requestSchemas, ...responseSchemas])] as const;
  });
  return cycles.map((cycle) => ({
    pointer: cycle.closing.pointer,
    text: `a schema applies itself to the same value: ${describeCycle(cycle)}  expected a property or an item in between`,
    operations: reached.filter(([, all]) => all.has(cycle.closing)).map(([name]) => name),
  }));
}

/** @returns the pointers of schemas whose values contain a value of the same schema, without end */
export function endlessSchemas(definition: Contract): string[] {
  const model = SchemaModel.of(definition);
  const schemas = new Set(
    [...schemaLocations(definition.document)].flatMap(({ pointer }) => model.at(pointer) ?? []),
  );
  const contents = new Map([...schemas].map((schema) => [schema, requiredIn(schema)]));
  const holders = new Map<Schema, Schema[]>();
  for (const schema of schemas) holders.set(schema, []);
  for (const [each, inner] of contents) {
    for (const one of inner) holders.get(one)?.push(each);
  }
  // A schema that contains none of these has a finite value; one that is in none of these is on no cycle.
  removeEnds(schemas, contents, holders);
  removeEnds(schemas, holders, contents);
  return [...schemas].filter(({ types }) => types !== undefined).map(({ pointer }) => pointer);
}

type Edges = ReadonlyMap<Schema, readonly Schema[]>;

/** Removes each schema without an edge to the remaining ones. */
function removeEnds(schemas: Set<Schema>, edges: Edges, reverse: Edges): void {
  const pending = [...schemas];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    if (!schemas.has(each) || edges.get(each)?.some((other) => schemas.has(other))) continue;
    schemas.delete(each);
    pending.push(...(reverse.get(each) ?? []));
  }
}

/** @returns the schemas of the value itself and of values that it must contain */
function requiredIn(schema: Schema): Schema[] {
  const [type, ...others] = schema.types ?? [];
  const inner: Schema[] = schema.conjuncts.filter((conjunct) => conjunct !== schema);
  if (others.length > 0) return inner;
  const { required, minItems } = schema.keywords;
  if (type === 'object' && Array.isArray(required)) {
    const properties = schema.conjuncts.flatMap((conjunct) => [...conjunct.map('properties')]);
    const isHiddenIn = (schema: Schema) =>
      isHidden(schema, 'request') || isHidden(schema, 'response');
    inner.push(
      ...properties.flatMap(([name, property]) =>
        required.includes(name) && !isHiddenIn(property) ? [property] : [],
      ),
    );
  }
  const items = schema.child('items');
  if (type === 'array' && minItems > 0 && items !== undefined && !schema.has('prefixItems')) {
    inner.push(items);
  }
  return inner;
}
