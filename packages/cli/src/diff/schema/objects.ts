// Compares properties and items; lists the pairs of subschemas to compare next.
import type { Schema } from 'stubwright/internal/schema/model';
import { compilePattern } from 'stubwright/internal/schema/pattern';
import { without } from '../formatting.ts';
import { announcedRemoval } from '../sunset.ts';
import type { Finding, Polarity } from './finding.ts';
import { allOf, type Term } from './term.ts';
import type { View } from './view.ts';

/** The subschemas of two schemas under the same keyword. */
export interface SubschemaPair {
  /** Relative to the schemas: `/tag`. */
  readonly path: string;
  readonly before: Term;
  readonly after: Term;
  readonly polarity: Polarity;
}

interface Comparison {
  readonly findings: Finding[];
  readonly subschemas: SubschemaPair[];
}

/** Stands for the properties that a contract does not name. */
const UNNAMED = '\u0000';

export function objectComparison(before: View, after: View): Comparison {
  if (!before.has('object') || !after.has('object')) return { findings: [], subschemas: [] };
  const names = [...new Set([...before.propertyNames, ...after.propertyNames])];
  const byName = new Map(names.map((name) => [name, compareProperty(name, before, after)]));
  const reported = new Set(names.filter((name) => byName.get(name)!.findings.length > 0));
  const parts = [...byName.values(), compareUnnamed(before, after)];
  return {
    findings: [
      ...parts.flatMap(({ findings }) => findings),
      ...requiredFindings(before, after, reported),
    ],
    subschemas: parts.flatMap(({ subschemas }) => subschemas),
  };
}

function compareProperty(name: string, before: View, after: View): Comparison {
  const was = schemaOf(before, name);
  const is = schemaOf(after, name);
  if (before.isHidden(name) || after.isHidden(name) || was === undefined || is === undefined) {
    return { findings: propertyAddedOrRemoved(name, before, after), subschemas: [] };
  }
  const isDeclared = [before, after].map((view) => view.properties(name).length > 0);
  // An open object that does not declare the property allows any value, which is no constraint.
  if ((!isDeclared[0] && allowsAnything(was)) || (!isDeclared[1] && allowsAnything(is))) {
    return { findings: propertyAddedOrRemoved(name, before, after), subschemas: [] };
  }
  return {
    findings: [],
    subschemas: [{ path: `/${name}`, before: was, after: is, polarity: 'same' }],
  };
}

function propertyAddedOrRemoved(name: string, before: View, after: View): Finding[] {
  const wasThere = before.propertyNames.includes(name);
  const at = { before: pointerOf(before, name), after: pointerOf(after, name) };
  if (wasThere) {
    const announced = before
      .properties(name)
      .map(({ keywords }) => announcedRemoval(keywords))
      .find((each) => each !== undefined);
    const outcomes = {
      request: announced ?? ['breaking', 'Clients that send it are refused, or it is ignored.'],
      response: announced ?? ['breaking', 'Clients that read it no longer receive it.'],
    } as const;
    const what = `the property ${name} was removed`;
    return [{ rule: 'property-removed', kind: 'explicit', what, ...at, outcomes }];
  }
  const what = `the property ${name} was added`;
  if (schemaOf(before, name) === undefined) {
    const values = `the property ${name}`;
    return [{ rule: 'property-added', kind: 'wider', what, values, ...at }];
  }
  const isRequired = after.required.includes(name);
  const request = isRequired
    ? ([
        'breaking',
        `Clients that do not send ${name} are refused, because it is required.`,
      ] as const)
    : (['compatible', 'Clients may send it.'] as const);
  const response = [
    'compatible',
    'Clients that ignore unknown properties are not affected.',
  ] as const;
  const rule = isRequired ? 'required-property-added' : 'property-added';
  return [{ rule, kind: 'explicit', what, ...at, outcomes: { request, response } }];
}

function pointerOf(view: View, name: string): string {
  return view.properties(name)[0]?.pointer ?? view.at('properties');
}

/** @param reported the properties that are already reported as added or removed */
function requiredFindings(before: View, after: View, reported: ReadonlySet<string>): Finding[] {
  const was = before.required;
  const is = after.required;
  const at = { before: before.at('required'), after: after.at('required') };
  const lacking = (name: string) => `an object without ${name}`;
  const isAlreadyReported = (name: string) =>
    reported.has(name) && schemaOf(before, name) !== undefined;
  return [
    ...without(is, was)
      .filter((name) => !isAlreadyReported(name))
      .map((name): Finding => {
        const rule = 'property-became-required';
        return {
          rule,
          kind: 'narrower',
          what: `${name} became required`,
          values: lacking(name),
          ...at,
        };
      }),
    ...without(was, is)
      .filter((name) => !reported.has(name))
      .map((name): Finding => {
        const rule = 'property-became-optional';
        return {
          rule,
          kind: 'wider',
          what: `${name} became optional`,
          values: lacking(name),
          ...at,
        };
      }),
  ];
}

/** Compares the schemas of properties that neither contract names. */
function compareUnnamed(before: View, after: View): Comparison {
  const was = schemaOf(before, UNNAMED);
  const is = schemaOf(after, UNNAMED);
  const keywords = ['additionalProperties', 'unevaluatedProperties'];
  const at = { before: before.at(...keywords), after: after.at(...keywords) };
  const values = 'properties that the contract does not name';
  if (was === undefined || is === undefined) {
    if (was === is) return { findings: [], subschemas: [] };
    const finding: Finding =
      is === undefined
        ? {
            rule: 'additional-properties-disallowed',
            kind: 'narrower',
            what: 'the object was closed',
            values,
            ...at,
          }
        : {
            rule: 'additional-properties-allowed',
            kind: 'wider',
            what: 'the object was opened',
            values,
            ...at,
          };
    return { findings: [finding], subschemas: [] };
  }
  if (allowsAnything(was) && allowsAnything(is)) return { findings: [], subschemas: [] };
  return { findings: [], subschemas: [{ path: '/*', before: was, after: is, polarity: 'same' }] };
}

function allowsAnything({ conjuncts }: Term): boolean {
  return conjuncts.length === 0;
}

/** @returns the schemas that apply to a property; undefined if the property is not allowed */
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

export function itemSubschemas(before: View, after: View): SubschemaPair[] {
  if (!before.has('array') || !after.has('array')) return [];
  const heads = Math.max(headsOf(before), headsOf(after));
  const at = (index: number) => [itemOf(before, index), itemOf(after, index)] as const;
  return Array.from({ length: heads + 1 }, (_, index) => {
    const [was, is] = at(index);
    const path = index < heads ? `/${index}` : '/*';
    return { path, before: was, after: is, polarity: 'same' as const };
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
