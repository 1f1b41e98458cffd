// Objects and lists: which fields may, must and cannot be there, and the pairs of schemas inside that
// are compared next.
import type { Schema } from '../../../../stubwright/src/schema/model.ts';
import { compilePattern } from '../../../../stubwright/src/schema/pattern.ts';
import { without } from '../words.ts';
import type { Finding, Sense } from './finding.ts';
import { allOf, type Term } from './term.ts';
import type { View } from './view.ts';

/** Two schemas that are compared because two others hold them. */
export interface Inner {
  /** What leads there: `/tag`. */
  readonly path: string;
  readonly before: Term;
  readonly after: Term;
  readonly sense: Sense;
}

interface Parts {
  readonly findings: Finding[];
  readonly inner: Inner[];
}

/** No property that a contract names. */
const UNNAMED = '\u0000';

export function objectParts(before: View, after: View): Parts {
  if (!before.has('object') || !after.has('object')) return { findings: [], inner: [] };
  const names = [...new Set([...before.propertyNames, ...after.propertyNames])];
  const byName = new Map(names.map((name) => [name, propertyParts(name, before, after)]));
  const told = new Set(names.filter((name) => byName.get(name)!.findings.length > 0));
  const parts = [...byName.values(), unnamed(before, after)];
  return {
    findings: [
      ...parts.flatMap(({ findings }) => findings),
      ...requiredFindings(before, after, told),
    ],
    inner: parts.flatMap(({ inner }) => inner),
  };
}

function propertyParts(name: string, before: View, after: View): Parts {
  const was = schemaOf(before, name);
  const is = schemaOf(after, name);
  if (before.isHidden(name) || after.isHidden(name) || was === undefined || is === undefined) {
    return { findings: comeOrGone(name, before, after), inner: [] };
  }
  const isDeclared = [before, after].map((view) => view.properties(name).length > 0);
  // Where one side is open the name says nothing there, and an open object is no promise.
  if ((!isDeclared[0] && isAny(was)) || (!isDeclared[1] && isAny(is))) {
    return { findings: comeOrGone(name, before, after), inner: [] };
  }
  return {
    findings: [],
    inner: [{ path: `/${name}`, before: was, after: is, sense: 'same' }],
  };
}

function comeOrGone(name: string, before: View, after: View): Finding[] {
  const wasThere = before.propertyNames.includes(name);
  const at = { before: placeOf(before, name), after: placeOf(after, name) };
  if (wasThere) {
    const told = {
      request: ['breaking', 'Clients that send it are refused, or it is ignored.'],
      response: ['breaking', 'Clients that read it find nothing.'],
    } as const;
    return [{ kind: 'told', what: `the property ${name} was removed`, ...at, told }];
  }
  const what = `the property ${name} was added`;
  if (schemaOf(before, name) === undefined) {
    return [{ kind: 'wider', what, values: `the field ${name}`, ...at }];
  }
  const isRequired = after.required.includes(name);
  const request = isRequired
    ? (['breaking', `Clients that do not know ${name} are refused, for it is required.`] as const)
    : (['compatible', 'Clients may send it.'] as const);
  const response = [
    'compatible',
    'Clients that take fields they do not know notice nothing.',
  ] as const;
  return [{ kind: 'told', what, ...at, told: { request, response } }];
}

function placeOf(view: View, name: string): string {
  return view.properties(name)[0]?.pointer ?? view.at('properties');
}

/** @param told the properties of which it is told already that they come or go */
function requiredFindings(before: View, after: View, told: ReadonlySet<string>): Finding[] {
  const was = before.required;
  const is = after.required;
  const at = { before: before.at('required'), after: after.at('required') };
  const lacking = (name: string) => `an object without ${name}`;
  const isToldWith = (name: string) => told.has(name) && schemaOf(before, name) !== undefined;
  return [
    ...without(is, was)
      .filter((name) => !isToldWith(name))
      .map((name): Finding => {
        return { kind: 'narrower', what: `${name} became required`, values: lacking(name), ...at };
      }),
    ...without(was, is)
      .filter((name) => !told.has(name))
      .map((name): Finding => {
        return { kind: 'wider', what: `${name} became optional`, values: lacking(name), ...at };
      }),
  ];
}

/** What holds for the properties that neither contract names. */
function unnamed(before: View, after: View): Parts {
  const was = schemaOf(before, UNNAMED);
  const is = schemaOf(after, UNNAMED);
  const words = ['additionalProperties', 'unevaluatedProperties'];
  const at = { before: before.at(...words), after: after.at(...words) };
  const values = 'fields that the contract does not name';
  if (was === undefined || is === undefined) {
    if (was === is) return { findings: [], inner: [] };
    const finding: Finding =
      is === undefined
        ? { kind: 'narrower', what: 'the object was closed', values, ...at }
        : { kind: 'wider', what: 'the object was opened', values, ...at };
    return { findings: [finding], inner: [] };
  }
  if (isAny(was) && isAny(is)) return { findings: [], inner: [] };
  return { findings: [], inner: [{ path: '/*', before: was, after: is, sense: 'same' }] };
}

function isAny({ conjuncts }: Term): boolean {
  return conjuncts.length === 0;
}

/** @returns what the object demands of a property; undefined where it cannot be there */
function schemaOf(view: View, name: string): Term | undefined {
  const schemas: Schema[] = [];
  const isDeclared = view.properties(name).length > 0;
  for (const { schema } of view.conjuncts) {
    const own = ownSchemas(schema, name);
    const unevaluated = isDeclared ? undefined : schema.child('unevaluatedProperties');
    const rest = schema.child('additionalProperties') ?? unevaluated;
    if (own.length === 0 && rest !== undefined) own.push(rest);
    if (own.some(({ isNever }) => isNever)) return undefined;
    schemas.push(...own);
  }
  return allOf(schemas, view.term.at);
}

function ownSchemas(schema: Schema, name: string): Schema[] {
  const own = schema.map('properties').get(name);
  const patterns = name === UNNAMED ? [] : [...schema.map('patternProperties')];
  const matching = patterns.filter(([pattern]) => compilePattern(pattern)?.test(name));
  return [...(own === undefined ? [] : [own]), ...matching.map(([, each]) => each)];
}

export function arrayInner(before: View, after: View): Inner[] {
  if (!before.has('array') || !after.has('array')) return [];
  const heads = Math.max(headsOf(before), headsOf(after));
  const at = (index: number) => [itemOf(before, index), itemOf(after, index)] as const;
  return Array.from({ length: heads + 1 }, (_, index) => {
    const [was, is] = at(index);
    const path = index < heads ? `/${index}` : '/*';
    return { path, before: was, after: is, sense: 'same' as const };
  });
}

function headsOf({ conjuncts }: View): number {
  return Math.max(0, ...conjuncts.map(({ schema }) => schema.list('prefixItems').length));
}

function itemOf({ conjuncts, term }: View, index: number): Term {
  const schemas = conjuncts.flatMap(({ schema }) => {
    const head = schema.list('prefixItems')[index];
    return head ?? schema.child('items') ?? schema.child('unevaluatedItems') ?? [];
  });
  return allOf(schemas, term.at);
}
