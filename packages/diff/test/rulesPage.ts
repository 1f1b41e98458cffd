// The contracts of the examples of rules, and what the diff reports about them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import {
  Contract,
  type ContractError,
  escapeToken,
  isObject,
  type Node,
} from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { canonical } from '../src/values/formatting.ts';
import { nodeOf } from './toyContract.ts';

const INFO = { title: 'Toys', version: '1' };
const OK = { 200: {} };
const SCHEMES = {
  one: { type: 'apiKey', in: 'header', name: 'One' },
  two: { type: 'apiKey', in: 'header', name: 'Two' },
};

export function ofDocument(text: string): Node {
  return { openapi: '3.1.0', info: INFO, paths: {}, ...nodeOf(text) };
}

export function ofOperation(text: string): Node {
  const post = { responses: OK, ...nodeOf(text) };
  const components = { securitySchemes: SCHEMES };
  return { openapi: '3.1.0', info: INFO, paths: { '/toys': { post } }, components };
}

export function ofSchema(text: string, direction: 'request' | 'response'): Node {
  const content = { 'application/json': { schema: nodeOf(text) } };
  const post = direction === 'request' ? { requestBody: { content } } : {};
  const responses = direction === 'request' ? OK : { 200: { content } };
  const components = { schemas: { Toy: {}, Game: { minProperties: 1 } } };
  const paths = { '/toys': { post: { ...post, responses } } };
  return { openapi: '3.1.0', info: INFO, paths, components };
}

/** An operation with the reference `#/none` has an error. */
function errorsIn({ paths = {} }: Node): ContractError[] {
  const operations = Object.entries<Node>(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      canonical(operation).includes('"#/none"') ? [`${method} ${path}`] : [],
    ),
  );
  const message = '$ref cannot be resolved: #/none';
  return [{ message, position: undefined, operations, isMockable: false }];
}

export function contractFrom(document: Node): Contract {
  return new Contract(document, errorsIn(document));
}

/** @returns the rules and severities of the changes, and the location of one that is not at its keyword */
export function reported(before: Node, after: Node): readonly string[] {
  const [was, is] = [before, after].map((each) => ({ definition: contractFrom(each) }));
  const changes = changesBetween(was!, is!);
  const pointer = differenceBetween(before, after);
  const texts = changes.map(({ rule, severity, effect, ...locations }) => {
    expect([rule, effect]).toEqual([rule, expect.stringMatching(/^[A-Z].*\.$/s)]);
    const isAt = [locations.before, locations.after].some((location) => {
      const isWhole = COMPARED_WHOLE.test(location) && pointer.startsWith(location);
      return isWhole || location === pointer || location.startsWith(`${pointer}/`);
    });
    const isUnlocated = /too-complex|values-changed|not-compared/.test(rule);
    return `${rule} ${severity}${isAt || isUnlocated ? '' : ` at ${locations.after}`}`;
  });
  return [...new Set(texts)];
}

const COMPARED_WHOLE = /\/(?:discriminator|flows|patternProperties|xml|x-[\w-]+)$/;

/** @returns the JSON pointer of all that differs */
function differenceBetween(one: Node, other: Node): string {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  const [key, ...others] = [...keys].filter((name) => !isDeepStrictEqual(one[name], other[name]));
  if (key === undefined || others.length > 0) return '';
  const [was, is] = [one[key], other[key]];
  const areObjects = isObject(was) && isObject(is);
  return `/${escapeToken(key)}${areObjects ? differenceBetween(was, is) : ''}`;
}
