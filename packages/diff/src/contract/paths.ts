// Added operations whose path matches a path template of the older contract.
import { type Contract, type Operation, templateNames } from '@stubwright/contract';
import { termOf } from '../schema/term.ts';
import { View } from '../schema/view.ts';

/**
 * A literal path takes precedence over a template (OpenAPI 3.1.1, section 4.8.8.2).
 *
 * @returns the operation of the older contract that requests to the added path reached; undefined if
 *   there is none
 */
export function hiddenOperation(before: Contract, added: Operation): Operation | undefined {
  const isKnown = before.operations.some(({ path }) => routeOf(path) === routeOf(added.path));
  if (isKnown) return undefined;
  return before.operations.find((operation) => matches(operation, added.path));
}

/** @returns a path without the names of its parameters, which are not sent */
export function routeOf(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function matches(operation: Operation, path: string): boolean {
  const templates = operation.path.split('/');
  const segments = path.split('/');
  if (templates.length !== segments.length) return false;
  return segments.every((segment, index) => {
    const template = templates[index]!;
    if (routeOf(segment) === routeOf(template)) return true;
    return !segment.includes('{') && acceptsSegment(operation, template, segment);
  });
}

function acceptsSegment(operation: Operation, template: string, segment: string): boolean {
  const names = templateNames(template);
  const literals = template.split(/\{[^{}]+\}/).map((text) => text.replace(/[^\w]/g, '\\$&'));
  const found = new RegExp(`^${literals.join('([^/]+)')}$`).exec(segment);
  if (found === null || names.length === 0) return false;
  return names.every((name, index) => {
    const parameter = operation.parameter('path', name);
    if (parameter === undefined) return true;
    const view = new View('request', termOf(parameter.schema, parameter.pointer), 'form');
    return view.has('array', 'object') || view.accepts(found[index + 1]);
  });
}
