// Compares the responses of one operation: statuses, headers, bodies.
import {
  type ContractObject,
  type DeclaredResponse,
  type Direction,
  type Header,
  Responses,
} from '@stubwright/contract';
import type { Holder, Holders } from '../counterexample/carrier.ts';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { type ComparedPart, joined } from './comparedPart.ts';
import { compareContents } from './content.ts';
import { compareAcrossContent, compareAsText, compareText } from './serialization.ts';

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
  return new Responses(Array.from(responses, ([status, response]) => [key(status), response]));
}

/** Beside a declared success, `default` is the response of errors. */
function responseFor(responses: Responses, status: string): DeclaredResponse | undefined {
  const isOther = /^[123]/.test(status) && responses.keyFor(status) === 'default';
  return isOther && responses.success !== undefined ? undefined : responses.for(status);
}

/** Fewer statuses keep the older contract, but clients wait for a success that is gone. */
function removal(
  direction: Direction,
  status: string,
  was: Responses,
  is: Responses,
): ChangeMessage {
  const isNarrowed = /X/.test(status) && [...is.keys()].some((key) => key[0] === status[0]);
  const isSuccess =
    !/^(?:[45]|default$)/.test(status) ||
    (status === 'default' && was.success === undefined && is.size === 0);
  const isMissed = direction === 'request' || (isSuccess && !isNarrowed);
  const kept = isNarrowed ? 'response-range-narrowed' : 'response-error-removed';
  const rule = isMissed ? 'response-status-removed' : kept;
  return change(rule, { direction, status, isNarrowed });
}

function compareResponse(response: ComparedPart<DeclaredResponse>): void {
  if (response.isUnchanged) return;
  compareHeaders(response);
  compareContents(response);
  response.documentation(DOCUMENTATION_KEYWORDS.response);
}

function compareHeaders(response: ComparedPart<DeclaredResponse>): void {
  const [was, is] = [byLowerCase(response.before), byLowerCase(response.after)];
  for (const { before, after } of joined(was, is)) {
    const { name } = before ?? after!;
    const header = response.within(`header ${name}`);
    const { direction } = header;
    const written = (holder: ContractObject) => ({ pointer: `${holder.pointer}/headers/${name}` });
    if (before !== undefined && after !== undefined) {
      compareHeader(header.with({ before: before.value, after: after.value }), { before, after });
    } else if (before !== undefined) {
      const entry = { before: written(response.before) };
      header.report(change('response-header-removed'), 'headers', entry);
    } else if (after !== undefined) {
      const { isRequired } = after.value;
      const message = change('response-header-added', { direction, isRequired });
      header.report(message, 'headers', { after: written(response.after) });
    }
  }
}

/** Header names are case-insensitive. */
function byLowerCase({ headers }: DeclaredResponse): Map<string, Holder<Header>> {
  const all = Array.from(headers, ([name, value]) => ({ name, value }));
  const byName = Map.groupBy(all, ({ name }) => name.toLowerCase());
  return new Map(Array.from(byName, ([name, [first]]) => [name, first!]));
}

function compareHeader(header: ComparedPart<Header>, holders: Holders): void {
  const { before, after, direction } = header;
  if (before.isRequired !== after.isRequired) {
    const kind = after.isRequired ? 'required' : 'optional';
    header.report(change(`response-header-became-${kind}`, { direction }), 'required');
  }
  const hasOtherText = compareText(header);
  if (hasOtherText || !compareAcrossContent(header)) {
    if (hasOtherText) header.schemas('form', undefined);
    else if (!compareAsText(header)) header.schemas('form', holders);
    compareContents(header);
  }
  header.documentation(DOCUMENTATION_KEYWORDS.parameter);
}
