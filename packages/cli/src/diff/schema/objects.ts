// Compares properties and items; lists the pairs of subschemas to compare next.

import type { Severity } from '../change.ts';
import { announcedRemoval } from '../contract/sunset.ts';
import { without } from '../formatting.ts';
import type { SchemaFinding } from './finding.ts';
import { lengthOf } from './lengths.ts';
import { itemOf, schemaOf, tupleLength, UNNAMED } from './shape.ts';
import type { SubschemaComparison, SubschemaPair } from './subschema.ts';
import { allowsAnything } from './trivial.ts';
import type { View } from './view.ts';
import { wireOfItem, wireOfProperty } from './wire.ts';

export function objectComparison(before: View, after: View): SubschemaComparison {
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

function compareProperty(name: string, before: View, after: View): SubschemaComparison {
  const was = schemaOf(before, name);
  const is = schemaOf(after, name);
  // Declared in one conjunct and disallowed by another, in both contracts.
  if (was === undefined && is === undefined) return { findings: [], subschemas: [] };
  if (before.isHidden(name) || after.isHidden(name) || was === undefined || is === undefined) {
    return { findings: propertyAddedOrRemoved(name, before, after), subschemas: [] };
  }
  const isDeclared = [before, after].map((view) => view.properties(name).length > 0);
  // An open object that does not declare the property does not restrict its value.
  if ((!isDeclared[0] && allowsAnything(was)) || (!isDeclared[1] && allowsAnything(is))) {
    return { findings: propertyAddedOrRemoved(name, before, after), subschemas: [] };
  }
  return {
    findings: [],
    subschemas: [
      {
        path: `/${name}`,
        before: was,
        after: is,
        polarity: 'same',
        wire: wireOfProperty(before.wire),
      },
    ],
  };
}

function propertyAddedOrRemoved(name: string, before: View, after: View): SchemaFinding[] {
  // A schema that allows nothing disallows the property.
  const wasThere = before.propertyNames.includes(name) && schemaOf(before, name) !== undefined;
  const at = { before: pointerOf(before, name), after: pointerOf(after, name) };
  if (wasThere) {
    const announced = before
      .properties(name)
      .map(({ keywords }) => announcedRemoval(keywords))
      .find((each) => each !== undefined);
    const outcomes = {
      request: announced ?? removalIn(after, name),
      response: announced ?? ['breaking', 'Clients that read it no longer receive it.'],
    } as const;
    const what = `the property ${name} was removed`;
    return [{ rule: 'property-removed', kind: 'explicit', what, ...at, outcomes }];
  }
  const what = `the property ${name} was added`;
  if (schemaOf(before, name) === undefined || schemaOf(after, name) === undefined) {
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

/** A schema that allows any value of the property ignores it. */
function removalIn(after: View, name: string): readonly [Severity, string] {
  const schema = schemaOf(after, name);
  return schema !== undefined && allowsAnything(schema)
    ? ['risky', 'It is ignored.']
    : ['breaking', 'Clients that send it are refused.'];
}

function pointerOf(view: View, name: string): string {
  return view.properties(name)[0]?.pointer ?? view.at('properties');
}

/** @param reported the properties that are already reported as added or removed */
function requiredFindings(
  before: View,
  after: View,
  reported: ReadonlySet<string>,
): SchemaFinding[] {
  const was = before.required;
  const is = after.required;
  const at = { before: before.at('required'), after: after.at('required') };
  const lacking = (name: string) => `an object without ${name}`;
  const isAlreadyReported = (name: string) =>
    reported.has(name) && schemaOf(before, name) !== undefined;
  return [
    ...without(is, was)
      .filter((name) => !isAlreadyReported(name))
      .map((name): SchemaFinding => {
        const what = `${name} became required`;
        const values = lacking(name);
        return { rule: 'property-became-required', kind: 'narrower', what, values, ...at };
      }),
    ...without(was, is)
      .filter((name) => !reported.has(name))
      .map((name): SchemaFinding => {
        const what = `${name} became optional`;
        const values = lacking(name);
        return { rule: 'property-became-optional', kind: 'wider', what, values, ...at };
      }),
  ];
}

/** Compares the schemas of properties that neither contract names. */
function compareUnnamed(before: View, after: View): SubschemaComparison {
  const was = schemaOf(before, UNNAMED);
  const is = schemaOf(after, UNNAMED);
  const keywords = ['additionalProperties', 'unevaluatedProperties'];
  const at = { before: before.at(...keywords), after: after.at(...keywords) };
  const values = 'properties that the contract does not name';
  if (was === undefined || is === undefined) {
    if (was === is) return { findings: [], subschemas: [] };
    const finding: SchemaFinding =
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
  const wire = wireOfProperty(before.wire);
  return {
    findings: [],
    subschemas: [{ path: '/*', before: was, after: is, polarity: 'same', wire }],
  };
}

/** Compares the items that both arrays can have. */
export function itemSubschemas(before: View, after: View): SubschemaPair[] {
  if (!before.has('array') || !after.has('array')) return [];
  const heads = Math.max(tupleLength(before), tupleLength(after));
  const longest = Math.min(...[before, after].map((view) => lengthOf(view, 'maxItems').effective));
  return Array.from({ length: Math.min(heads + 1, longest) }, (_, index) => ({
    path: index < heads ? `/${index}` : '/*',
    before: itemOf(before, index),
    after: itemOf(after, index),
    polarity: 'same' as const,
    wire: wireOfItem(before.wire),
  }));
}
