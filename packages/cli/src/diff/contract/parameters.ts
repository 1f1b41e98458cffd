// Compares the parameters of one operation.
import {
  type Definition,
  isReservedHeader,
  type LocatedNode,
  type Node,
  templateNames,
} from '@stubwright/contract';
import type { ComparedPart } from '../comparedPart.ts';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { change } from '../rules.ts';
import { lengthOf } from '../schema/lengths.ts';
import { itemOf } from '../schema/shape.ts';
import { compareContents } from './content.ts';
import { compareSerialization, isSingleItem } from './serialization.ts';
import { announcedRemoval } from './sunset.ts';

/** An operation or webhook with its parameters. */
interface ParameterHolder {
  readonly path: string;
  readonly parameters: readonly LocatedNode[];
}

export function compareParameters(
  operation: ComparedPart,
  was: ParameterHolder,
  is: ParameterHolder,
): void {
  const { direction } = operation;
  const [old, now] = [byKey(was), byKey(is)];
  for (const [key, before] of old) {
    const after = now.get(key);
    const parameter = operation.within(nameOf(before.node));
    if (after !== undefined) compareParameter(parameter.with({ before, after }));
    else {
      const announced = announcedRemoval(before.node);
      const message = change('parameter-removed', { direction, in: before.node.in, announced });
      parameter.report(message, 'parameters', { before });
    }
  }
  for (const [key, after] of now) {
    if (old.has(key)) continue;
    const kind = after.node.required === true ? 'required' : 'optional';
    const message = change(`${kind}-parameter-added`, { direction });
    operation.within(nameOf(after.node)).report(message, 'parameters', { after });
  }
}

/** Keys parameters by location and name; path parameters by position, since names are not sent. */
function byKey({ path, parameters }: ParameterHolder): Map<string, LocatedNode> {
  const names = templateNames(path);
  const keyOf = ({ in: where, name }: Node) => {
    if (where === 'path') return `path ${names.indexOf(name)}`;
    return `${where} ${where === 'header' ? String(name).toLowerCase() : name}`;
  };
  const declared = parameters.filter(({ node }) => !isReservedHeader(node));
  return new Map(declared.map((parameter) => [keyOf(parameter.node), parameter]));
}

function nameOf({ in: where, name }: Node): string {
  return `${where} parameter ${name}`;
}

function compareParameter(parameter: ComparedPart): void {
  if (parameter.isUnchanged) return;
  const { before, after, direction } = parameter;
  const factsOf = (keyword: string) => ({ was: before.node[keyword], is: after.node[keyword] });
  if (before.node.in === 'path' && before.node.name !== after.node.name) {
    parameter.report(change('path-parameter-renamed', factsOf('name')), 'name');
  }
  if (isRequired(before) !== isRequired(after)) {
    const kind = isRequired(after) ? 'required' : 'optional';
    const facts = { ...factsOf('required'), direction };
    parameter.report(change(`parameter-became-${kind}`, facts), 'required');
  }
  const hasOtherText = compareSerialization(parameter);
  const { was, is } = factsOf('allowEmptyValue');
  if ((was === true) !== (is === true)) {
    const kind = is === true ? 'set' : 'removed';
    parameter.report(change(`allow-empty-value-${kind}`, { was, is }), 'allowEmptyValue');
  }
  if (hasOtherText) parameter.schemas('form', { isReported: true });
  else compareSchemas(parameter);
  compareContents(parameter);
  parameter.documentation(DOCUMENTATION_KEYWORDS.parameter);
}

function isRequired({ node }: LocatedNode): boolean {
  return node.required === true || node.in === 'path';
}

/** In a request, the text of a scalar may be an array of one item. */
function compareSchemas(parameter: ComparedPart): void {
  const [was, is] = parameter.views('form');
  const isArray = !was.has('array', 'object') && [...is.types].every((type) => type === 'array');
  const isWidened =
    parameter.direction === 'request' &&
    isArray &&
    is.types.size > 0 &&
    lengthOf(is, 'minItems').effective < 2 &&
    isSingleItem(was, parameter.after.node);
  if (!isWidened) {
    parameter.schemas('form');
    return;
  }
  const at = { before: { pointer: was.at('type') }, after: { pointer: is.at('type') } };
  parameter.report(change('parameter-became-array'), '', at);
  parameter.terms(was.term, itemOf(is, 0), 'text');
}

/** @returns the parameters of several nodes; the first of each location and name applies */
export function parametersAt(
  definition: Definition,
  holders: readonly LocatedNode[],
): LocatedNode[] {
  const found = new Map<string, LocatedNode>();
  for (const holder of holders) {
    const list = definition.child(holder, 'parameters');
    for (const index of Object.keys(list?.node ?? {})) {
      const parameter = definition.child(list!, index)!;
      const key = `${parameter.node.in} ${parameter.node.name}`;
      if (!found.has(key)) found.set(key, parameter);
    }
  }
  return [...found.values()];
}
