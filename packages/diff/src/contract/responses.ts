// Compares the responses of one operation: statuses, headers, bodies.
import { type Direction, type LocatedNode, responseFor } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { type ChangeMessage, change } from '../rules/rules.ts';
import type { ComparedPart } from './comparedPart.ts';
import { compareContents } from './content.ts';
import { compareSerialization } from './serialization.ts';

type Responses = ReadonlyMap<string, LocatedNode>;

/** An operation or webhook with its responses. */
interface ResponseHolder {
  readonly responses: Responses;
}

export function compareResponses(
  operation: ComparedPart,
  before: ResponseHolder,
  after: ResponseHolder,
): void {
  const read = operation.inverted();
  const { direction } = read;
  const [was, is] = [byStatus(before), byStatus(after)];
  for (const status of new Set([...was.keys(), ...is.keys()])) {
    const holder = read.within(`response ${status}`);
    const [old, now] = [responseFor(was, status), responseFor(is, status)];
    if (old !== undefined && now !== undefined) {
      compareResponse(holder.with({ before: old, after: now }));
    } else if (now === undefined) {
      holder.report(removal(direction, status, was, is), 'responses', { before: old! });
    } else {
      const message = change('response-status-added', { direction, status });
      holder.report(message, 'responses', { after: now });
    }
  }
}

/** Keys responses by status; a range has a capital X. */
function byStatus({ responses }: ResponseHolder): Responses {
  const key = (status: string) => status.replace(/^(\d)xx$/i, '$1XX');
  return new Map([...responses].map(([status, response]) => [key(status), response]));
}

/** Fewer statuses keep the older contract, but clients wait for a success that is gone. */
function removal(
  direction: Direction,
  status: string,
  was: Responses,
  is: Responses,
): ChangeMessage {
  const isNarrowed = /X/.test(status) && [...is.keys()].some((each) => each[0] === status[0]);
  const hasSuccess = [...was.keys()].some((each) => each.startsWith('2'));
  const isSuccess =
    status.startsWith('2') || (status === 'default' && !hasSuccess && is.size === 0);
  const isMissed = direction === 'request' || (isSuccess && !isNarrowed);
  const kept = isNarrowed ? 'response-range-narrowed' : 'response-error-removed';
  const rule = isMissed ? 'response-status-removed' : kept;
  return change(rule, { direction, status, isNarrowed });
}

function compareResponse(response: ComparedPart): void {
  if (response.isUnchanged) return;
  compareHeaders(response);
  compareContents(response);
  response.documentation(DOCUMENTATION_KEYWORDS.response);
}

function compareHeaders(response: ComparedPart): void {
  const children = response.children('headers');
  for (const child of children) {
    const { name } = child;
    // Header names are case-insensitive.
    const same = children.filter((each) => each.name.toLowerCase() === name.toLowerCase());
    if (/^content-type$/i.test(name) || same[0] !== child) continue;
    const before = same.find((each) => each.before !== undefined)?.before;
    const after = same.find((each) => each.after !== undefined)?.after;
    const header = response.within(`header ${name}`);
    const { direction } = header;
    const written = (holder: LocatedNode) => ({ pointer: `${holder.pointer}/headers/${name}` });
    if (before !== undefined && after !== undefined) {
      compareHeader(header.with({ before, after }));
    } else if (before !== undefined) {
      const entry = { before: written(response.before) };
      header.report(change('response-header-removed'), 'headers', entry);
    } else if (after !== undefined) {
      const isRequired = after.node.required === true;
      const message = change('response-header-added', { direction, isRequired });
      header.report(message, 'headers', { after: written(response.after) });
    }
  }
}

function compareHeader(header: ComparedPart): void {
  const { before, after, direction } = header;
  const [was, is] = [before, after].map(({ node }) => node.required === true);
  if (was !== is) {
    const kind = is ? 'required' : 'optional';
    header.report(change(`response-header-became-${kind}`, { direction }), 'required');
  }
  const asParameter = ({ pointer, node }: LocatedNode) => ({
    pointer,
    node: { ...node, in: 'header' },
  });
  const parameter = header.with({ before: asParameter(before), after: asParameter(after) });
  const hasOtherText = compareSerialization(parameter);
  parameter.schemas('form', { isReported: hasOtherText });
  compareContents(header);
  header.documentation(DOCUMENTATION_KEYWORDS.parameter);
}
