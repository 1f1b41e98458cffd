// Whether the declared and required properties of an object satisfy its schema, as far as a combination decides it.
import type { Schema } from '@stubwright/contract';
import { type Assignment, within } from './assignment.ts';
import { isType } from './domain.ts';
import { and, not, or, type Truth } from './truth.ts';

export function propertyTruth(schema: Schema, at: string, assignment: Assignment): Truth {
  const properties = schema.map('properties');
  const required = requiredIn(schema);
  const dependent = dependentIn(schema);
  if (properties.size + required.length + dependent.length === 0) return true;
  const isAnObject = isType(assignment.valuesAt(at), 'object');
  if (isAnObject !== true) return not(isAnObject);
  const has = (name: string) => assignment.has(at, name);
  return and([
    ...required.map((name) => () => has(name)),
    ...dependent.map(
      ([name, others]) =>
        () =>
          or([() => not(has(name)), () => and(others.map((other) => () => has(other)))]),
    ),
    ...[...properties].map(([name, each]) => () => {
      const isPresent = has(name);
      return isPresent === true ? assignment.schema(each, within(at, name)) : not(isPresent);
    }),
  ]);
}

/** @returns the names of `required` */
export function requiredIn({ keywords }: Schema): string[] {
  return strings(keywords['required']);
}

/** @returns the names of `dependentRequired`, each with those that it requires */
export function dependentIn({ keywords }: Schema): [string, string[]][] {
  const entries = Object.entries<unknown>(Object(keywords['dependentRequired']));
  return entries.map(([name, others]) => [name, strings(others)]);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
