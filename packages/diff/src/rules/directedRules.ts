// The rules of bodies, media types and values, whose effect depends on who sends them.
import { became } from '../values/formatting.ts';
import {
  type BeforeAndAfter,
  CAN_RELY,
  effects,
  ifReceived,
  ifSent,
  isOfRequest,
  MAY_OMIT,
  MAY_READ,
  MAY_SEND,
  NOT_RECEIVED,
  riskyIfReceived,
  rule,
  type SentOrReceived,
} from './contractRules.ts';

const NO_BODY = 'Clients that send no body are refused.';

interface Encoding extends SentOrReceived, BeforeAndAfter {
  /** The media types that the receiver does not know. */
  readonly types: readonly string[];
}

interface PartHeader extends SentOrReceived {
  readonly isBreaking: boolean;
  readonly change: 'was added' | 'was removed' | 'became required' | 'became optional';
}

/** Rules of parts that clients send or receive: the id in a report starts with the direction. */
export const DIRECTED_RULES = {
  'body-removed': rule<SentOrReceived>(
    'breaking',
    'the body was removed',
    effects('A body that clients send is ignored or refused.', NOT_RECEIVED),
  ),
  'required-body-added': rule<SentOrReceived>(
    ifSent,
    'a required body was added',
    effects(NO_BODY, MAY_READ),
  ),
  'optional-body-added': rule<SentOrReceived>(
    'compatible',
    'an optional body was added',
    effects(MAY_SEND, MAY_READ),
  ),
  'body-became-required': rule<SentOrReceived>(
    ifSent,
    'the body became required',
    effects(NO_BODY, CAN_RELY),
  ),
  'body-became-optional': rule<SentOrReceived>(
    ifReceived,
    'the body became optional',
    effects(MAY_OMIT, 'Clients that rely on a body may receive none.'),
  ),
  'media-type-added': rule<SentOrReceived>(
    riskyIfReceived,
    'the media type was added',
    effects(
      MAY_SEND,
      'Clients that do not restrict the media type may get one that they cannot read.',
    ),
  ),
  'media-type-removed': rule<SentOrReceived>(
    'breaking',
    'the media type was removed',
    effects(
      'Clients that send it are refused.',
      'Clients that accept only this media type can no longer read the body.',
    ),
  ),
  'charset-changed': rule<Charsets>(
    ({ charsets }) => (charsets.length > 0 ? 'breaking' : 'compatible'),
    ({ was, is }) => `charset ${was} became ${is}`,
    charsetEffect,
  ),
  'encoding-changed': rule<Encoding | PartHeader>(
    (facts) => (isPartRefused(facts) ? 'breaking' : 'compatible'),
    (facts) =>
      'change' in facts ? `the header ${facts.change}` : became('contentType', facts.was, facts.is),
    encodingEffect,
  ),
  'serialization-changed': rule<SentOrReceived & BeforeAndAfter & { readonly keyword: string }>(
    'breaking',
    ({ keyword, was, is }) => became(keyword, was, is),
    'The same value is serialized differently, so the receiver misreads or refuses it.',
  ),
  'values-changed': rule<SentOrReceived>(
    'breaking',
    effects('a valid value became invalid', 'an invalid value became valid'),
    effects(
      'Clients that send such a value are refused.',
      'Clients may get such a value, which the older contract does not allow.',
    ),
  ),
};

interface Charsets extends SentOrReceived, BeforeAndAfter {
  /** The character encodings that the receiver does not expect. */
  readonly charsets: readonly string[];
}

function charsetEffect(facts: Charsets): string {
  const names = facts.charsets.join(' or ');
  if (isOfRequest(facts)) {
    return names === ''
      ? 'The service reads the same bytes as the same text.'
      : `Text that clients send as ${names} is refused or misread.`;
  }
  return names === ''
    ? 'Clients read the same bytes as the same text.'
    : `Clients may get text as ${names}, which the older contract does not declare.`;
}

function isPartRefused(facts: Encoding | PartHeader): boolean {
  return 'change' in facts ? facts.isBreaking : facts.types.length > 0;
}

function encodingEffect(facts: Encoding | PartHeader): string {
  if ('change' in facts) {
    return facts.isBreaking
      ? 'Clients that send or read the part in the older form fail.'
      : 'Existing parts stay valid.';
  }
  if (facts.types.length === 0) return 'Existing parts keep their media type.';
  const types = facts.types.join(' or ');
  return isOfRequest(facts)
    ? `Clients that send ${types} are refused.`
    : `Clients may get ${types}, which the older contract does not allow.`;
}
