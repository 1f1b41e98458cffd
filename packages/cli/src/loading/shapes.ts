// Checks the shapes that the engine reads, by type of node, where Redocly's rule `struct` accepts others.

import type { Location, Oas3Preprocessor, UserContext } from '@redocly/openapi-core';
import { COUNTS, isObject, keywordsOfType, type Node } from '@stubwright/contract';
import { MOCKABLE } from './severity.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const KEY_PLACES = ['query', 'header', 'cookie'];
const PLACES = [...KEY_PLACES, 'path'];
/** The types of keywords that a validator requires. */
const KEYWORDS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  enum: [Array.isArray, 'an array'],
  pattern: [isText, 'a string'],
  format: [isText, 'a string'],
  dependentRequired: [isNamesByName, 'lists of names by name'],
  dependencies: [isDependencies, 'lists of names or schemas by name'],
  ...Object.fromEntries(
    keywordsOfType('number').map((word) => {
      const isBound = word.startsWith('exclusive') ? isNumberOrFlag : isNumber;
      return [word, [isBound, 'a number'] as const];
    }),
  ),
  ...Object.fromEntries(COUNTS.map((word) => [word, [isCount, 'a number of 0 or more'] as const])),
};

export const shapesRule: Oas3Preprocessor = () => {
  let schemes: Node = {};
  let places = PLACES;
  return {
    Root(root: Node, { resolve }: UserContext) {
      const components = root.components;
      if (String(root.openapi).startsWith('3.2')) places = [...PLACES, 'querystring'];
      schemes = (isObject(components) && resolve<Node>(components.securitySchemes).node) || {};
    },
    SecurityRequirement(requirement, { report, location }) {
      for (const name of Object.keys(requirement ?? {})) {
        if (Object.hasOwn(schemes, name)) continue;
        const known = Object.keys(schemes).join(', ') || 'one in components.securitySchemes';
        report({
          ruleId: MOCKABLE,
          message: `the security scheme ${name} is unknown  expected ${known}`,
          location: location.child(name).key(),
        });
      }
    },
    SecurityScheme(scheme: Node, context) {
      if (!isObject(scheme)) return;
      const { type } = scheme;
      const report: UserContext['report'] = (problem) =>
        context.report({ ...problem, ruleId: MOCKABLE });
      const mockable = { ...context, report };
      if (!isText(type)) missing(scheme, 'type', 'a kind of security', mockable);
      if (type === 'apiKey' && !isText(scheme.name)) missing(scheme, 'name', 'a name', mockable);
      if (type === 'apiKey' && !KEY_PLACES.includes(scheme.in)) {
        missing(scheme, 'in', `one of ${KEY_PLACES.join(', ')}`, mockable);
      }
      if (type === 'http' && !isText(scheme.scheme)) {
        missing(scheme, 'scheme', 'bearer or basic', mockable);
      }
    },
    Parameter(parameter: Node, context) {
      if (!isObject(parameter)) return;
      if (!isText(parameter.name)) missing(parameter, 'name', 'a name', context);
      if (!places.includes(parameter.in)) {
        missing(parameter, 'in', `one of ${places.join(', ')}`, context);
      }
      if (parameter.schema === undefined && parameter.content === undefined) {
        missing(parameter, 'schema', 'schema or content', context);
      }
    },
    ServerVariable(variable: Node, context) {
      const { enum: values } = Object(variable);
      if (values !== undefined && !Array.isArray(values)) {
        missing(variable, 'enum', 'an array', context);
      }
    },
    Schema(schema: Node | boolean, context) {
      if (isObject(schema)) checkSchema(schema, context);
    },
  };
};

function checkSchema(schema: Node, { report, location }: UserContext): void {
  const refuse = (what: string, expected: string, at: Location) =>
    report({ message: `${what}  expected ${expected}`, location: at });
  for (const type of [schema.type].flat()) {
    if (type === undefined || TYPES.includes(type)) continue;
    refuse(`type is ${shown(type)}`, `one of ${TYPES.join(', ')}`, location.child('type'));
  }
  for (const [word, [isRight, expected]] of Object.entries(KEYWORDS)) {
    const value = schema[word];
    if (value === undefined || isRight(value)) continue;
    refuse(`${word} is ${shown(value)}`, expected, location.child(word));
  }
}

/** A missing field is reported at its object, an invalid value at its own location. */
function missing(node: Node, field: string, expected: string, { report, location }: UserContext) {
  const isThere = node[field] !== undefined;
  report({
    message: isThere
      ? `${field} is ${shown(node[field])}  expected ${expected}`
      : `${field} is missing  expected ${expected}`,
    location: isThere ? location.child(field) : location.key(),
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isNamesByName(value: unknown): boolean {
  const isNames = (names: unknown) => Array.isArray(names) && areTexts(names);
  return isObject(value) && Object.values(value).every(isNames);
}

/** Redocly checks the schemas. */
function isDependencies(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.values(value).every((each) => !Array.isArray(each) || areTexts(each));
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((each) => typeof each === 'string');
}

function isNumber(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isFinite(value);
}

/** Also the flags of OpenAPI 3.0. */
function isNumberOrFlag(value: unknown): boolean {
  return isNumber(value) || typeof value === 'boolean';
}

function isCount(value: unknown): boolean {
  return isNumber(value) && (value as number) >= 0;
}

function shown(value: unknown): string {
  return typeof value === 'object' ? (Array.isArray(value) ? 'an array' : 'an object') : `${value}`;
}
