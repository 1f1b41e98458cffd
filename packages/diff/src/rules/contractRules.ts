// The rules of operations and documents: severity, text and effect of each kind of change, built from its facts.
import type { Direction } from '@stubwright/contract';
import { became } from '../values/formatting.ts';
import type { Severity } from './severity.ts';
import {
  type Announcement,
  announcedEffect,
  announcedSeverity,
  type EarlierSunset,
  sunsetEffect,
  sunsetText,
} from './sunset.ts';

export interface ChangeRule<Facts> {
  readonly severity: Severity | ((facts: Facts) => Severity);
  /** The change itself. */
  readonly what: string | ((facts: Facts) => string);
  /** The effect on clients, a sentence. */
  readonly effect: string | ((facts: Facts) => string);
}

export function rule<Facts = object>(
  severity: ChangeRule<Facts>['severity'],
  what: ChangeRule<Facts>['what'],
  effect: ChangeRule<Facts>['effect'],
): ChangeRule<Facts> {
  return { severity, what, effect };
}

export interface SentOrReceived {
  readonly direction: Direction;
}
export const isOfRequest = ({ direction }: SentOrReceived) => direction === 'request';
/** Breaking for what clients send, or for what they receive only. */
export const ifSent = (facts: SentOrReceived) => (isOfRequest(facts) ? 'breaking' : 'compatible');
export const ifReceived = (facts: SentOrReceived) =>
  isOfRequest(facts) ? 'compatible' : 'breaking';
export const riskyIfReceived = (facts: SentOrReceived) =>
  isOfRequest(facts) ? 'compatible' : 'risky';
/** The effect on clients that send the part, or that receive it. */
export const effects = (sent: string, received: string) => (facts: SentOrReceived) =>
  isOfRequest(facts) ? sent : received;

export interface BeforeAndAfter {
  readonly was: unknown;
  readonly is: unknown;
}
const changed =
  (keyword: string) =>
  ({ was, is }: BeforeAndAfter) =>
    became(keyword, was, is);

interface Named {
  readonly name: string;
}
interface Renamed extends Named {
  readonly newName: string;
}

interface Added {
  /** `: Stores a toy`, or empty. */
  readonly summary: string;
}
const added = ({ summary }: Added) => `the operation was added${summary}`;

interface Removal {
  readonly announced: Announcement | undefined;
}
interface RemovedOperation extends Removal {
  readonly isPathGone: boolean;
}
const unlessAnnounced =
  <Facts extends Removal>(severity: (facts: Facts) => Severity) =>
  (facts: Facts) =>
    facts.announced === undefined ? severity(facts) : announcedSeverity(facts.announced);
const effectUnlessAnnounced =
  <Facts extends Removal>(effect: (facts: Facts) => string) =>
  (facts: Facts) =>
    facts.announced === undefined ? effect(facts) : announcedEffect(facts.announced);
const notFound = effectUnlessAnnounced(
  ({ isPathGone }: RemovedOperation) => `Clients that call it get ${isPathGone ? 404 : 405}.`,
);

interface RemovedParameter extends Removal, SentOrReceived {
  readonly in: string;
  readonly isRequired: boolean;
}
/** The engine refuses query parameters that are not declared, and ignores headers and cookies. */
const isParameterIgnored = (facts: RemovedParameter) =>
  isOfRequest(facts) && !facts.in.startsWith('query');

/** The value that each client sends has no effect any more. That of a path is part of the URL. */
const isMissed = (facts: RemovedParameter) => facts.isRequired && facts.in !== 'path';

interface Status extends SentOrReceived {
  readonly status: string;
  /** True if a range of statuses is replaced by some of them. */
  readonly isNarrowed: boolean;
}
const isRedirect = ({ status }: Status) => status.startsWith('3');
const statusRemoved = ({ isNarrowed }: Pick<Status, 'isNarrowed'>) =>
  isNarrowed ? 'the range was narrowed' : 'the status was removed';
const OTHERS_STAY = 'Clients no longer receive it; every other status stays declared.';

interface NewHeader extends SentOrReceived {
  readonly isRequired: boolean;
}
const isHeaderMissed = (facts: NewHeader) => isOfRequest(facts) && facts.isRequired;

interface Scope {
  readonly scope: string;
  readonly flow: string;
}

export const CAN_RELY = 'Clients can rely on it.';
export const MAY_OMIT = 'Clients may omit it.';
export const MAY_READ = 'Clients may read it.';
export const MAY_SEND = 'Clients may send it.';
export const NOT_RECEIVED = 'Clients that read it no longer receive it.';
const MAY_NOT_RECEIVE = 'Clients that rely on it may not receive it.';
const NOT_UNDERSTOOD = 'Clients that respond without it are not understood.';

/** The ids have no direction, or name it themselves. */
export const CONTRACT_RULES = {
  'operation-added': rule<Added>('compatible', added, 'Clients may call it.'),
  'operation-hides-another': rule<Added & { readonly hidden: string }>(
    'risky',
    added,
    ({ hidden }) => `Requests to this path reached ${hidden} before.`,
  ),
  'operation-removed': rule<RemovedOperation>(
    unlessAnnounced(() => 'breaking'),
    ({ isPathGone }) => `the ${isPathGone ? 'path' : 'method'} was removed`,
    notFound,
  ),
  'operation-moved': rule<RemovedOperation & { readonly to: string }>(
    unlessAnnounced(() => 'breaking'),
    ({ to }) => `the operation moved to ${to}`,
    notFound,
  ),
  'operation-not-compared': rule<{ readonly side: 'older' | 'newer' }>(
    'risky',
    'the operation was not compared',
    ({ side }) => `It has an error in the ${side} contract; review this operation.`,
  ),
  'operation-id-added': rule<BeforeAndAfter>(
    'risky',
    changed('operationId'),
    'SDKs that generated a method name now use this one.',
  ),
  'operation-id-changed': rule<BeforeAndAfter>(
    'breaking',
    changed('operationId'),
    ({ was }) => `SDKs lose their method ${was}.`,
  ),
  'operation-id-removed': rule<BeforeAndAfter>(
    'breaking',
    changed('operationId'),
    ({ was }) => `SDKs lose their method ${was}.`,
  ),
  'tags-changed': rule<BeforeAndAfter>(
    'risky',
    changed('tags'),
    'SDKs that group methods by tag move the method to another class.',
  ),
  'pagination-added': rule(
    'compatible',
    'pages were described (x-pagination)',
    'Generated clients gain the methods pages and items.',
  ),
  'pagination-changed': rule<BeforeAndAfter>(
    'breaking',
    changed('x-pagination'),
    'Generated clients of the earlier contract read one page, no items, or the wrong pages.',
  ),
  'pagination-removed': rule(
    'breaking',
    'pages are no longer described (x-pagination)',
    'Generated clients lose the methods pages and items.',
  ),
  'rate-limit-set': rule<BeforeAndAfter>(
    'risky',
    changed('x-rate-limit'),
    'Callers that send as many requests as before may be refused.',
  ),
  'rate-limit-removed': rule<BeforeAndAfter>(
    'compatible',
    changed('x-rate-limit'),
    'Callers may send more requests.',
  ),
  'rate-limit-lowered': rule<BeforeAndAfter>(
    'risky',
    changed('x-rate-limit'),
    'Callers that send as many requests as before may be refused.',
  ),
  'rate-limit-raised': rule<BeforeAndAfter>(
    'compatible',
    changed('x-rate-limit'),
    'Callers may send more requests.',
  ),
  'parameter-removed': rule<RemovedParameter>(
    unlessAnnounced((facts) =>
      isParameterIgnored(facts) && !isMissed(facts) ? 'risky' : 'breaking',
    ),
    'the parameter was removed',
    effectUnlessAnnounced((facts) => {
      if (isParameterIgnored(facts)) {
        return isMissed(facts) ? 'The value that clients must send is ignored.' : 'It is ignored.';
      }
      return isOfRequest(facts) ? 'Clients that send it are refused.' : NOT_RECEIVED;
    }),
  ),
  'required-parameter-added': rule<SentOrReceived>(
    ifSent,
    'a required parameter was added',
    effects('Clients that do not send it are refused.', MAY_READ),
  ),
  'optional-parameter-added': rule<SentOrReceived>(
    'compatible',
    'an optional parameter was added',
    effects(MAY_SEND, MAY_READ),
  ),
  'parameter-became-required': rule<SentOrReceived & BeforeAndAfter>(
    ifSent,
    changed('required'),
    effects('Clients that omit it are refused.', CAN_RELY),
  ),
  'parameter-became-optional': rule<SentOrReceived & BeforeAndAfter>(
    ifReceived,
    changed('required'),
    effects(MAY_OMIT, MAY_NOT_RECEIVE),
  ),
  'path-parameter-renamed': rule<BeforeAndAfter & { readonly isMoved: boolean }>(
    ({ isMoved }) => (isMoved ? 'breaking' : 'risky'),
    changed('name'),
    ({ isMoved }) =>
      isMoved
        ? 'Clients still send the value that had this place, which now has another meaning.'
        : 'Requests are unchanged; SDKs rename the argument.',
  ),
  'query-parameters-regrouped': rule<{ readonly isDivided: boolean }>(
    'risky',
    ({ isDivided }) =>
      isDivided ? 'the object became single parameters' : 'single parameters became this object',
    'The text of the query is the same; SDKs have other arguments.',
  ),
  'allow-empty-value-set': rule<BeforeAndAfter>(
    'compatible',
    changed('allowEmptyValue'),
    'Clients may send it without a value.',
  ),
  'allow-empty-value-removed': rule<BeforeAndAfter>(
    'breaking',
    changed('allowEmptyValue'),
    'Clients that send it without a value are refused.',
  ),
  'parameter-became-array': rule(
    'compatible',
    'the value became an array',
    'One value is an array of one item.',
  ),
  'idempotency-added': rule<Named>(
    'risky',
    ({ name }) => `${name} became an idempotency key`,
    'Clients that send one key with several requests are refused.',
  ),
  'idempotency-removed': rule<Named>(
    'breaking',
    ({ name }) => `${name} is no longer an idempotency key`,
    'Requests that clients repeat with the same key act twice.',
  ),
  'idempotency-shortened': rule<BeforeAndAfter>(
    'risky',
    changed('x-idempotency'),
    'Requests that clients repeat later act twice.',
  ),
  'idempotency-lengthened': rule<BeforeAndAfter>(
    'compatible',
    changed('x-idempotency'),
    'Clients may repeat requests for longer.',
  ),
  'response-status-added': rule<Pick<Status, 'direction' | 'status'>>(
    riskyIfReceived,
    'the status was added',
    (facts) => {
      if (isOfRequest(facts)) return 'Clients may respond with it.';
      return /^[45]/.test(facts.status)
        ? 'Clients may receive an error status that they do not handle.'
        : 'Clients that expect another status may treat it as an error.';
    },
  ),
  'response-status-removed': rule<Status>(
    (facts) =>
      isRedirect(facts) || (isOfRequest(facts) && !facts.status.startsWith('2'))
        ? 'risky'
        : 'breaking',
    statusRemoved,
    (facts) => {
      if (isOfRequest(facts)) return 'Clients that respond with it are no longer understood.';
      return isRedirect(facts)
        ? 'Clients that follow it no longer reach its target.'
        : 'Clients that handle it no longer receive it and may not handle its replacement.';
    },
  ),
  'response-error-removed': rule<Status>('compatible', statusRemoved, OTHERS_STAY),
  'response-range-narrowed': rule<Status>('compatible', statusRemoved, OTHERS_STAY),
  'response-media-range-narrowed': rule(
    'compatible',
    'the range was narrowed',
    'Clients that read every media type of the range read the remaining ones.',
  ),
  'response-header-added': rule<NewHeader>(
    (facts) => (isHeaderMissed(facts) ? 'breaking' : 'compatible'),
    'the header was added',
    (facts) => (isHeaderMissed(facts) ? NOT_UNDERSTOOD : 'Clients may use it.'),
  ),
  'response-header-removed': rule('breaking', 'the header was removed', NOT_RECEIVED),
  'response-header-became-required': rule<SentOrReceived>(
    ifSent,
    'the header became required',
    effects(NOT_UNDERSTOOD, CAN_RELY),
  ),
  'response-header-became-optional': rule<SentOrReceived>(
    ifReceived,
    'the header became optional',
    effects(MAY_OMIT, MAY_NOT_RECEIVE),
  ),
  'security-requirement-added': rule<Named>(
    'compatible',
    ({ name }) => `${name} suffices`,
    ({ name }) => `Clients may call with ${name}.`,
  ),
  'security-requirement-removed': rule<Named>(
    'breaking',
    ({ name }) => `${name} no longer suffices`,
    ({ name }) => `Clients that call with ${name} are refused.`,
  ),
  'security-scheme-renamed': rule<Renamed>(
    'risky',
    ({ name, newName }) => `the security scheme ${name} became ${newName}`,
    'Requests are unchanged; SDKs configure credentials under the new name.',
  ),
  'security-scope-added': rule<Scope>(
    'compatible',
    ({ scope, flow }) => `the scope ${scope} of ${flow} was added`,
    'Clients may request it.',
  ),
  'security-scope-removed': rule<Scope>(
    'risky',
    ({ scope, flow }) => `the scope ${scope} of ${flow} was removed`,
    'Clients that request it may be refused a token.',
  ),
  'server-added': rule<{ readonly url: string }>(
    'compatible',
    ({ url }) => `the server ${url} was added`,
    'Clients may use it.',
  ),
  'server-removed': rule<{ readonly url: string; readonly hasSamePath: boolean }>(
    ({ hasSamePath }) => (hasSamePath ? 'risky' : 'breaking'),
    ({ url }) => `the server ${url} was removed`,
    ({ hasSamePath }) =>
      hasSamePath
        ? 'The contract no longer names the host.'
        : 'Clients that use this server can no longer connect.',
  ),
  'server-default-changed': rule<{ readonly was: string[]; readonly is: string[] }>(
    'risky',
    ({ was, is }) => `the default server ${was.join(', ')} became ${is.join(', ')}`,
    'New SDKs use another server than older ones; the older one stays declared.',
  ),
  'schema-added': rule<Named>(
    'compatible',
    ({ name }) => `the schema ${name} was added`,
    'SDKs gain a type.',
  ),
  'schema-removed': rule<Named>(
    'risky',
    ({ name }) => `the schema ${name} was removed`,
    ({ name }) => `Requests are unchanged; SDKs lose the type ${name}.`,
  ),
  'schema-renamed': rule<Renamed>(
    'risky',
    ({ name, newName }) => `the schema ${name} became ${newName}`,
    ({ name }) => `Requests are unchanged; SDKs lose the type ${name}.`,
  ),
  'webhook-added': rule('compatible', 'it was added', 'Clients may subscribe to it.'),
  'webhook-removed': rule('breaking', 'it was removed', 'Subscribers no longer receive it.'),
  'sunset-earlier': rule<EarlierSunset>('breaking', sunsetText, sunsetEffect),
  'dialect-changed': rule<BeforeAndAfter>(
    'risky',
    changed('jsonSchemaDialect'),
    'The same keywords of schemas may have another meaning.',
  ),
  'info-version-changed': rule<BeforeAndAfter>(
    'compatible',
    changed('info.version'),
    'Clients that read the version get the new one.',
  ),
  'openapi-version-changed': rule<BeforeAndAfter>(
    'compatible',
    changed('openapi'),
    'Requests and responses are the same; generators must support the new version.',
  ),
  'documentation-changed': rule<{ readonly keyword: string }>(
    'compatible',
    ({ keyword }) => `${keyword} changed`,
    'Only the documentation changes.',
  ),
};
