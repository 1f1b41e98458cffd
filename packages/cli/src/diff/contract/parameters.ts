// Compares the parameters of one operation.
import { type Definition, type LocatedNode, type Node, templateNames } from 'stubwright/contract';
import { isReservedHeader } from 'stubwright/validation';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
  within,
} from '../contractComparison.ts';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { type ChangeMessage, change } from '../rules.ts';
import { lengthOf } from '../schema/lengths.ts';
import { itemOf } from '../schema/shape.ts';
import { compareContents } from './content.ts';
import { compareSerialization, isSingleItem } from './serialization.ts';
import { announcedRemoval } from './sunset.ts';

/** An operation or webhook with its parameters. */
interface ParameterHolder {
  readonly path: string;
  readonly location: LocatedNode;
  readonly parameters: readonly LocatedNode[];
}

export function compareParameters(
  context: ContractComparison,
  location: ComparedLocation,
  before: ParameterHolder,
  after: ParameterHolder,
): void {
  const { direction } = location;
  const was = byKey(before);
  const is = byKey(after);
  for (const [key, parameter] of was) {
    const other = is.get(key);
    const inside = within(location, nameOf(parameter.node));
    if (other !== undefined) compareParameter(context, inside, { before: parameter, after: other });
    else {
      const message = change('parameter-removed', {
        direction,
        in: parameter.node.in,
        announced: announcedRemoval(parameter.node),
      });
      context.report(inside, message, parameter.pointer, pointerTo(after.location, 'parameters'));
    }
  }
  for (const [key, parameter] of is) {
    if (was.has(key)) continue;
    const kind = parameter.node.required === true ? 'required' : 'optional';
    context.report(
      within(location, nameOf(parameter.node)),
      change(`${kind}-parameter-added`, { direction }),
      pointerTo(before.location, 'parameters'),
      parameter.pointer,
    );
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

function compareParameter(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  if (context.isUnchanged(pair)) return;
  const { before, after } = pair;
  const report = (
    keyword: string,
    messageOf: (facts: { readonly was: unknown; readonly is: unknown }) => ChangeMessage,
  ) => {
    const message = messageOf({ was: before.node[keyword], is: after.node[keyword] });
    context.report(location, message, pointerTo(before, keyword), pointerTo(after, keyword));
  };
  if (before.node.in === 'path' && before.node.name !== after.node.name) {
    report('name', (facts) => change('path-parameter-renamed', facts));
  }
  if (isRequired(before) !== isRequired(after)) {
    const { direction } = location;
    const kind = isRequired(after) ? 'required' : 'optional';
    report('required', (facts) => change(`parameter-became-${kind}`, { ...facts, direction }));
  }
  const hasOtherText = compareSerialization(context, location, pair);
  const [was, is] = [before, after].map(({ node }) => node.allowEmptyValue === true);
  if (was !== is) {
    const kind = is ? 'set' : 'removed';
    report('allowEmptyValue', (facts) => change(`allow-empty-value-${kind}`, facts));
  }
  if (hasOtherText) context.schemas(location, pair, 'form', { isReported: true });
  else compareSchemas(context, location, pair);
  compareContents(context, location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS.parameter);
}

function isRequired({ node }: LocatedNode): boolean {
  return node.required === true || node.in === 'path';
}

/** In a request, the text of a scalar may be an array of one item. */
function compareSchemas(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  const [was, is] = context.views(location, pair, 'form');
  const isArray = !was!.has('array', 'object') && [...is!.types].every((type) => type === 'array');
  const isWidened =
    location.direction === 'request' &&
    isArray &&
    is!.types.size > 0 &&
    lengthOf(is!, 'minItems').effective < 2 &&
    isSingleItem(was!, pair.after.node);
  if (!isWidened) {
    context.schemas(location, pair, 'form');
    return;
  }
  context.report(location, change('parameter-became-array'), was!.at('type'), is!.at('type'));
  context.terms(location, was!.term, itemOf(is!, 0), 'text');
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
