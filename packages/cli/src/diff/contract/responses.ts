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
  if (location.direction === 'request') {
    const what = isNarrowed ? 'the range was narrowed' : 'the status was removed';
    const isSuccess = status.startsWith('2');
    const effect = 'Clients that respond with it are no longer understood.';
    const severity = isSuccess ? 'breaking' : 'risky';
    const rule = 'response-status-removed';
    context.report(location, { rule, severity, what, effect }, ...at);
    return;
  }
  const isSuccess =
    status.startsWith('2') || (status === 'default' && !hasSuccess && is.size === 0);
  if (isSuccess && !isNarrowed) {
    const effect =
      'Clients that handle it no longer receive it and may not handle its replacement.';
    const rule = 'response-status-removed';
    const message = { rule, severity: 'breaking', what: 'the status was removed', effect } as const;
    context.report(location, message, ...at);
    return;
  }
  const what = isNarrowed ? 'the range was narrowed' : 'the status was removed';
  const effect = 'Clients no longer receive it; every other status stays declared.';
  const rule = isNarrowed ? 'response-range-narrowed' : 'response-error-removed';
  context.report(location, { rule, severity: 'compatible', what, effect }, ...at);
}

function reportAdded(
  context: ContractComparison,
  location: ComparedLocation,
  status: string,
  holder: LocatedNode,
  response: string,
): void {
  const isError = /^[45]/.test(status);
  const isSent = location.direction === 'request';
  const received = isError
    ? 'Clients may receive an error status that they do not handle.'
    : 'Clients that expect another status may treat it as an error.';
  context.report(
    location,
    {
      rule: 'response-status-added',
      severity: isSent ? 'compatible' : 'risky',
      what: 'the status was added',
      effect: isSent ? 'Clients may respond with it.' : received,
    },
    pointerTo(holder, 'responses'),
    response,
  );
}

function compareResponse(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  compareHeaders(context, location, pair);
  compareContents(context, location, pair);
  context.documentation(location, pair, ['description', 'links']);
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
      const effect = 'Clients that read it no longer receive it.';
      const rule = 'response-header-removed';
      const what = 'the header was removed';
      const message = { rule, severity: 'breaking', what, effect } as const;
      context.report(
        location,
        message,
        `${pair.before.pointer}/headers/${name}`,
        pointerTo(pair.after, 'headers'),
      );
    } else if (after !== undefined) {
      const isRefused = location.direction === 'request' && after.node.required === true;
      const effect = isRefused
        ? 'Clients that respond without it are not understood.'
        : 'Clients may use it.';
      const rule = 'response-header-added';
      const what = 'the header was added';
      const severity = isRefused ? 'breaking' : 'compatible';
      const message = { rule, severity, what, effect } as const;
      context.report(
        location,
        message,
        pointerTo(pair.before, 'headers'),
        `${pair.after.pointer}/headers/${name}`,
      );
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
    const isSent = location.direction === 'request';
    const [broken, allowed] = isSent
      ? ['Clients that respond without it are not understood.', 'Clients may omit it.']
      : ['Clients that rely on it may not receive it.', 'Clients can rely on it.'];
    const isBreaking = is === isSent;
    context.report(
      location,
      {
        rule: `response-header-became-${is ? 'required' : 'optional'}`,
        severity: isBreaking ? 'breaking' : 'compatible',
        what: `the header became ${is ? 'required' : 'optional'}`,
        effect: isBreaking ? broken : allowed,
      },
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
  context.documentation(location, pair, ['description', 'example', 'examples', 'deprecated']);
}
