// Compares the responses of one operation: statuses, headers, bodies.
import { type LocatedNode, responseFor } from 'stubwright/contract';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  opposite,
  pointerTo,
  within,
} from '../contractComparison.ts';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { change } from '../rules.ts';
import { compareContents } from './content.ts';
import { compareSerialization } from './serialization.ts';

/** An operation or webhook with its responses. */
interface ResponseHolder {
  readonly location: LocatedNode;
  readonly responses: ReadonlyMap<string, LocatedNode>;
}

export function compareResponses(
  context: ContractComparison,
  { direction, ...outer }: ComparedLocation,
  before: ResponseHolder,
  after: ResponseHolder,
): void {
  const read = { ...outer, direction: opposite(direction) };
  const [was, is] = [byStatus(before), byStatus(after)];
  for (const status of new Set([...was.keys(), ...is.keys()])) {
    const location = within(read, `response ${status}`);
    const pair = { before: responseFor(was, status), after: responseFor(is, status) };
    if (pair.before !== undefined && pair.after !== undefined) {
      compareResponse(context, location, { before: pair.before, after: pair.after });
    } else if (pair.after === undefined) {
      reportRemoved(context, location, { was, is, status }, pair.before!.pointer, after.location);
    } else reportAdded(context, location, status, before.location, pair.after.pointer);
  }
}

type Responses = ReadonlyMap<string, LocatedNode>;

/** Keys responses by status; a range has a capital X. */
function byStatus({ responses }: ResponseHolder): Responses {
  const key = (status: string) => status.replace(/^(\d)xx$/i, '$1XX');
  return new Map([...responses].map(([status, response]) => [key(status), response]));
}

/** Fewer statuses keep the older contract, but clients wait for a success that is gone. */
function reportRemoved(
  context: ContractComparison,
  location: ComparedLocation,
  { was, is, status }: { was: Responses; is: Responses; status: string },
  response: string,
  holder: LocatedNode,
): void {
  const at = [response, pointerTo(holder, 'responses')] as const;
  const isNarrowed = /X/.test(status) && [...is.keys()].some((each) => each[0] === status[0]);
  const hasSuccess = [...was.keys()].some((each) => each.startsWith('2'));
  const isSuccess =
    status.startsWith('2') || (status === 'default' && !hasSuccess && is.size === 0);
  const isMissed = location.direction === 'request' || (isSuccess && !isNarrowed);
  const kept = isNarrowed ? 'response-range-narrowed' : 'response-error-removed';
  const rule = isMissed ? 'response-status-removed' : kept;
  const { direction } = location;
  context.report(location, change(rule, { direction, status, isNarrowed }), ...at);
}

function reportAdded(
  context: ContractComparison,
  location: ComparedLocation,
  status: string,
  holder: LocatedNode,
  response: string,
): void {
  const message = change('response-status-added', { direction: location.direction, status });
  context.report(location, message, pointerTo(holder, 'responses'), response);
}

function compareResponse(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  if (context.isUnchanged(pair)) return;
  compareHeaders(context, location, pair);
  compareContents(context, location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS.response);
}

function compareHeaders(
  context: ContractComparison,
  outer: ComparedLocation,
  pair: LocatedPair,
): void {
  const children = context.children(pair, 'headers');
  for (const child of children) {
    const { name } = child;
    // Header names are case-insensitive.
    const same = children.filter((each) => each.name.toLowerCase() === name.toLowerCase());
    if (/^content-type$/i.test(name) || same[0] !== child) continue;
    const before = same.find((each) => each.before !== undefined)?.before;
    const after = same.find((each) => each.after !== undefined)?.after;
    const location = within(outer, `header ${name}`);
    if (before !== undefined && after !== undefined) {
      compareHeader(context, location, { before, after });
    } else if (before !== undefined) {
      const at = `${pair.before.pointer}/headers/${name}`;
      const message = change('response-header-removed');
      context.report(location, message, at, pointerTo(pair.after, 'headers'));
    } else if (after !== undefined) {
      const at = `${pair.after.pointer}/headers/${name}`;
      const { direction } = location;
      const isRequired = after.node.required === true;
      const message = change('response-header-added', { direction, isRequired });
      context.report(location, message, pointerTo(pair.before, 'headers'), at);
    }
  }
}

function compareHeader(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  const [was, is] = [pair.before, pair.after].map(({ node }) => node.required === true);
  if (was !== is) {
    const { direction } = location;
    context.report(
      location,
      change(`response-header-became-${is ? 'required' : 'optional'}`, { direction }),
      pointerTo(pair.before, 'required'),
      pointerTo(pair.after, 'required'),
    );
  }
  const asHeader = ({ pointer, node }: LocatedNode) => ({
    pointer,
    node: { ...node, in: 'header' },
  });
  const inHeader = { before: asHeader(pair.before), after: asHeader(pair.after) };
  const hasOtherText = compareSerialization(context, location, inHeader);
  context.schemas(location, inHeader, 'form', { isReported: hasOtherText });
  compareContents(context, location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS.parameter);
}
