// Compares the parameters of one operation.
import { type Definition, type LocatedNode, type Node, templateNames } from 'stubwright/contract';
import type { Severity } from '../change.ts';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
  within,
} from '../contractComparison.ts';
import { became } from '../formatting.ts';
import { lengthOf } from '../schema/lengths.ts';
import { itemOf } from '../schema/shape.ts';
import { compareContents } from './content.ts';
import { compareSerialization, isSingleItem } from './serialization.ts';
import { announcedRemoval } from './sunset.ts';

const DOCUMENTATION_KEYWORDS = ['description', 'example', 'examples', 'deprecated'];
/** OpenAPI ignores header parameters with these names. */
const RESERVED_HEADERS = ['header accept', 'header content-type', 'header authorization'];

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
  const was = byKey(before);
  const is = byKey(after);
  for (const [key, parameter] of was) {
    const other = is.get(key);
    const inside = within(location, nameOf(parameter.node));
    if (other !== undefined) compareParameter(context, inside, { before: parameter, after: other });
    else {
      const [severity, effect] = announcedRemoval(parameter.node) ?? [
        ...removalOf(parameter.node, location),
      ];
      context.report(
        inside,
        {
          rule: 'parameter-removed',
          severity,
          what: 'the parameter was removed',
          effect,
        },
        parameter.pointer,
        pointerTo(after.location, 'parameters'),
      );
    }
  }
  for (const [key, parameter] of is) {
    if (was.has(key)) continue;
    const isRequired = parameter.node.required === true;
    const isSent = location.direction === 'request';
    context.report(
      within(location, nameOf(parameter.node)),
      {
        rule: isRequired ? 'required-parameter-added' : 'optional-parameter-added',
        severity: isRequired && isSent ? 'breaking' : 'compatible',
        what: isRequired ? 'a required parameter was added' : 'an optional parameter was added',
        effect: !isSent
          ? 'Clients may read it.'
          : isRequired
            ? 'Clients that do not send it are refused.'
            : 'Clients may send it.',
      },
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
  const entries = parameters.map((parameter) => [keyOf(parameter.node), parameter] as const);
  return new Map(entries.filter(([key]) => !RESERVED_HEADERS.includes(key)));
}

/** The engine refuses query parameters that are not declared, and ignores headers and cookies. */
function removalOf(
  { in: where }: Node,
  { direction }: ComparedLocation,
): readonly [Severity, string] {
  if (direction === 'response') return ['breaking', 'Clients that read it no longer receive it.'];
  if (where === 'query') return ['breaking', 'Clients that send it are refused.'];
  return ['risky', 'It is ignored.'];
}

function nameOf({ in: where, name }: Node): string {
  return `${where} parameter ${name}`;
}

function compareParameter(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  const { before, after } = pair;
  const report = (
    rule: string,
    keyword: string,
    severity: 'breaking' | 'risky' | 'compatible',
    effect: string,
  ) => {
    const what = became(keyword, before.node[keyword], after.node[keyword]);
    context.report(
      location,
      { rule, severity, what, effect },
      pointerTo(before, keyword),
      pointerTo(after, keyword),
    );
  };
  if (before.node.in === 'path' && before.node.name !== after.node.name) {
    const effect = 'Requests are unchanged; SDKs rename the argument.';
    report('path-parameter-renamed', 'name', 'risky', effect);
  }
  if (isRequired(before) !== isRequired(after)) {
    const isSent = location.direction === 'request';
    const rule = isRequired(after) ? 'parameter-became-required' : 'parameter-became-optional';
    if (isRequired(after) === isSent) {
      const effect = isSent
        ? 'Clients that omit it are refused.'
        : 'Clients that rely on it may not receive it.';
      report(rule, 'required', 'breaking', effect);
    } else {
      const effect = isSent ? 'Clients may omit it.' : 'Clients can rely on it.';
      report(rule, 'required', 'compatible', effect);
    }
  }
  const hasOtherText = compareSerialization(context, location, pair);
  const allowed = [before, after].map(({ node }) => node.allowEmptyValue === true);
  if (allowed[0] && !allowed[1]) {
    const effect = 'Clients that send it without a value are refused.';
    report('allow-empty-value-removed', 'allowEmptyValue', 'breaking', effect);
  } else if (allowed[1] && !allowed[0]) {
    const effect = 'Clients may send it without a value.';
    report('allow-empty-value-set', 'allowEmptyValue', 'compatible', effect);
  }
  if (hasOtherText) context.schemas(location, pair, 'form', { isReported: true });
  else compareSchemas(context, location, pair);
  compareContents(context, location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS);
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
  const message = {
    rule: 'parameter-became-array',
    severity: 'compatible',
    what: 'the value became an array',
    effect: 'One value is an array of one item.',
  } as const;
  context.report(location, message, was!.at('type'), is!.at('type'));
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
