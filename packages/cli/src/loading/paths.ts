// Checks paths, operations and parameters for routing, where Redocly has no rule or reports no location.

import type { Location, Oas3Preprocessor, UserContext } from '@redocly/openapi-core';
import { barePath, isObject, type Node, operationKeys, templateNames } from '@stubwright/contract';
import { MOCKABLE } from './severity.ts';

interface Found {
  readonly node: Node;
  readonly location: Location;
}

export const pathsRule: Oas3Preprocessor = () => {
  const places = new Map<string, string>();
  return {
    Paths(paths, context) {
      for (const [path, node] of Object.entries<unknown>({ ...paths })) {
        if (path.startsWith('x-')) continue;
        const location = context.location.child(path);
        checkTemplate(path, location, context);
        const own: Found | undefined = isObject(node) ? { node, location } : undefined;
        const item = follow(own, context);
        for (const found of own === item ? [own] : [own, item]) {
          if (found !== undefined) checkItem(path, found, [own, item], places, context);
        }
      }
    },
  };
};

function checkItem(
  path: string,
  item: Found,
  sources: readonly (Found | undefined)[],
  places: Map<string, string>,
  context: UserContext,
): void {
  const shared = [...new Set(sources)].flatMap((source) => parametersOf(source, context));
  for (const [method, ...keys] of operationKeys(item.node)) {
    let operation: Found | undefined = item;
    for (const key of keys) operation = operation && follow(child(operation, key), context);
    if (operation === undefined) continue;
    checkId(operation, `${method.toUpperCase()} ${path}`, places, context);
    const own = parametersOf(operation, context);
    checkTwice(own, context);
    checkTemplated(path, operation, [...own, ...shared], context);
  }
  checkTwice(parametersOf(item, context), context);
}

function checkTemplate(path: string, location: Location, { report }: UserContext): void {
  const refuse = (what: string, expected: string) =>
    report({ message: `${what}  expected ${expected}`, location: location.key() });
  if (!path.startsWith('/')) refuse(`the path ${path}`, 'a path that starts with /');
  if (barePath(path) !== path) {
    report({
      message: `${path} has a query or fragment and is served as ${barePath(path)} where no other path is  expected a path alone`,
      location: location.key(),
      forceSeverity: 'warn',
    });
  }
  const names = templateNames(path);
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, ''))) {
    refuse(`the braces of ${path} do not pair`, 'a template such as /toys/{id}');
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) refuse(`${path} names {${twice}} twice`, 'every name once in a path');
}

function checkId(
  { node, location }: Found,
  route: string,
  places: Map<string, string>,
  { report }: UserContext,
): void {
  const id: unknown = node.operationId;
  if (typeof id !== 'string' || id === '') return;
  const first = places.get(id);
  if (first === undefined) {
    places.set(id, route);
    return;
  }
  report({
    ruleId: MOCKABLE,
    message: `operationId ${id} belongs to ${first} already  expected an operationId of its own`,
    location: location.child('operationId'),
  });
}

/** Declares undeclared path parameters as strings. */
function checkTemplated(
  path: string,
  { node: operation, location }: Found,
  parameters: readonly Found[],
  { report }: UserContext,
): void {
  const declared = parameters.filter(({ node }) => node.in === 'path');
  const names = templateNames(path);
  for (const name of names) {
    if (declared.some(({ node }) => node.name === name)) continue;
    const own = Array.isArray(operation.parameters) ? operation.parameters : [];
    const parameter = { name, in: 'path', required: true, schema: { type: 'string' } };
    operation.parameters = [...own, parameter];
    report({
      message: `{${name}} of ${path} is not declared and read as a string  expected a parameter ${name} in path`,
      location: location.key(),
      forceSeverity: 'warn',
    });
  }
  for (const { node, location: place } of declared) {
    if (typeof node.name !== 'string' || names.includes(node.name)) continue;
    report({
      message: `the path parameter ${node.name} is ignored  expected {${node.name}} in ${path}`,
      location: place.child('name'),
      forceSeverity: 'warn',
    });
  }
}

/** An equal duplicate is ignored; two different parameters with one name are an error. */
function checkTwice(parameters: readonly Found[], { report }: UserContext): void {
  const seen = new Map<string, Found>();
  for (const each of parameters) {
    const { name, in: place } = each.node;
    const first = seen.get(`${place} ${name}`);
    if (first === undefined) {
      seen.set(`${place} ${name}`, each);
      continue;
    }
    const isSame = JSON.stringify(first.node, digits) === JSON.stringify(each.node, digits);
    report({
      message: `the ${place} parameter ${name} is declared twice  expected each parameter once`,
      location: each.location,
      forceSeverity: isSame ? 'warn' : 'error',
    });
  }
}

function digits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

function parametersOf(holder: Found | undefined, context: UserContext): Found[] {
  const list: unknown = holder?.node.parameters;
  if (holder === undefined || !Array.isArray(list)) return [];
  const location = holder.location.child('parameters');
  return list
    .map((node, at) => follow({ node, location: location.child(at) }, context))
    .filter((found) => found !== undefined && isObject(found.node)) as Found[];
}

function child({ node, location }: Found, name: string): Found | undefined {
  return isObject(node[name]) ? { node: node[name], location: location.child(name) } : undefined;
}

/** The target of a `$ref`; undefined without a target, which another rule reports. */
function follow(found: Found | undefined, { resolve }: UserContext): Found | undefined {
  if (typeof found?.node?.$ref !== 'string') return found;
  const target = resolve<Node>(found.node as { $ref: string }, found.location.source.absoluteRef);
  if (!isObject(target.node) || target.location === undefined) return undefined;
  return { node: target.node, location: target.location };
}
