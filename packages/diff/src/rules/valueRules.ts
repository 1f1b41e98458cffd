// The rules of types, enumerations, formats, patterns, numbers and lengths.
import {
  abbreviated,
  became,
  disjunction,
  keywordOf,
  someOf,
  type Type,
} from '../values/formatting.ts';
import type { Bound } from '../values/numberSet.ts';
import {
  always,
  explicit,
  narrowedAndWidened,
  narrower,
  other,
  refused,
  type SchemaEffect,
  unexpected,
  wider,
} from './schemaRule.ts';
import type { Severity } from './severity.ts';

/** A keyword that was set, changed or removed; `limit` bounds the values of the narrower schema. */
export interface BoundKeyword {
  readonly was: number | undefined;
  readonly is: number | undefined;
  readonly limit: number | undefined;
}

function lengths<Id extends string>(id: Id, keyword: string, values: string) {
  return narrowedAndWidened(
    id,
    ({ was, is }: BoundKeyword) => became(keyword, was, is),
    ({ limit }) => `${values} ${limit}`,
  );
}

export interface MovedBound {
  readonly was: Bound | undefined;
  readonly is: Bound | undefined;
  readonly limit: Bound;
}

function range<Side extends 'minimum' | 'maximum'>(side: Side) {
  const shown = (bound: Bound | undefined) =>
    bound?.isExclusive ? { exclusive: bound.value } : bound?.value;
  const beyond = side === 'minimum' ? 'below' : 'above';
  return narrowedAndWidened(
    side,
    ({ was, is }: MovedBound) => became(side, shown(was), shown(is)),
    ({ limit: { value, isExclusive } }) =>
      `a number ${beyond} ${value}${isExclusive ? ` or ${value} itself` : ''}`,
  );
}

export interface Types {
  readonly was: ReadonlySet<Type>;
  readonly is: ReadonlySet<Type>;
  readonly lost: Type[];
  readonly gained: Type[];
}
const typesBecame = ({ was, is }: Types) => `${keywordOf(was)} became ${keywordOf(is)}`;

/** The formats, and the multiples, that only one contract has. */
export interface Replaced<Item> {
  readonly was: readonly Item[];
  readonly is: readonly Item[];
}
const oneOrAll = (items: readonly unknown[]) => (items.length < 2 ? items[0] : items);
const replaced =
  (keyword: string) =>
  ({ was, is }: Replaced<unknown>) =>
    became(keyword, oneOrAll(was), oneOrAll(is));
const invalid = (formats: readonly string[]) =>
  `a value that is not a valid ${disjunction(formats)}`;
const noMultiple = (steps: readonly unknown[]) =>
  `a number that is not a multiple of ${steps.join(' and ')}`;

/** Patterns, and an example of the strings that only one contract allows. */
export interface Patterns {
  readonly was: string;
  readonly is: string;
  readonly lost?: string | undefined;
  readonly gained?: string | undefined;
  /** True if automata have found the examples: an absent one shows that there is none. */
  readonly isDecided: boolean;
}
const exampleString = (value: string) => `a string such as ${abbreviated(value)}`;
const unmatched = (value: string | undefined, pattern: string) =>
  value === undefined ? `a string that does not match ${pattern}` : exampleString(value);
const UNPROVEN = 'No example string shows a difference in this direction; review the pattern.';

function patternEffect({ lost, gained, isDecided }: Patterns): SchemaEffect {
  if (lost !== undefined && gained !== undefined) {
    return { kind: 'other', lost: exampleString(lost), gained: exampleString(gained) };
  }
  if (isDecided) {
    const kind = lost === undefined ? 'wider' : 'narrower';
    return { kind, values: exampleString((lost ?? gained)!) };
  }
  const proven = (value: string | undefined, effect: (values: string) => string) =>
    value === undefined
      ? (['risky', UNPROVEN] as const)
      : (['breaking', effect(exampleString(value))] as const);
  return {
    kind: 'explicit',
    outcomes: { request: proven(lost, refused), response: proven(gained, unexpected) },
  };
}

export interface Listed {
  readonly values: readonly unknown[];
}
const listed = ({ values }: Listed) => values.map(abbreviated).join(', ');
const unlisted = (facts: Listed) => `a value other than ${listed(facts)}`;

export interface Value {
  readonly value: unknown;
}
const shownValue = ({ value }: Value) => abbreviated(value);
const EXTENSIBLE = 'x-extensible-enum';
const extensible = (
  what: (values: string) => string,
  severity: Severity,
  effect: (values: string) => string,
) =>
  explicit<{ readonly values: string }>(
    ({ values }) => what(values),
    ({ values }) => ({
      request: [severity, effect(values)],
      response: ['compatible', 'Clients expect unknown values.'],
    }),
  );

const contentRule = (keyword: string) =>
  explicit<{ readonly was: unknown; readonly is: unknown }>(
    ({ was, is }) => became(keyword, was, is),
    () => always('breaking', 'The same string decodes to other bytes.'),
  );

/** Of keywords that bound the value itself. */
export const VALUE_RULES = {
  'type-narrowed': narrower(typesBecame, ({ lost }) => someOf(lost)),
  'type-widened': wider(typesBecame, ({ gained }) => someOf(gained)),
  'type-changed': other(
    typesBecame,
    ({ lost }) => someOf(lost),
    ({ gained }) => someOf(gained),
  ),
  'enum-set': narrower((facts: Listed) => `the enum ${listed(facts)} was set`, unlisted),
  'enum-removed': wider((facts: Listed) => `the enum ${listed(facts)} was removed`, unlisted),
  'enum-value-added': wider(
    (facts: Value) => `the value ${shownValue(facts)} was added`,
    shownValue,
  ),
  'enum-value-removed': narrower(
    (facts: Value) => `the value ${shownValue(facts)} was removed`,
    shownValue,
  ),
  'extensible-enum-set': extensible(
    (values) => `${EXTENSIBLE} ${values} was set`,
    'risky',
    () => 'Clients that send another value may be refused.',
  ),
  'extensible-enum-removed': extensible(
    (values) => `${EXTENSIBLE} ${values} was removed`,
    'compatible',
    () => 'Clients may send it.',
  ),
  'extensible-enum-value-added': extensible(
    (values) => `the value ${values} of ${EXTENSIBLE} was added`,
    'compatible',
    (values) => `Clients may now send ${values}.`,
  ),
  'extensible-enum-value-removed': extensible(
    (values) => `the value ${values} of ${EXTENSIBLE} was removed`,
    'breaking',
    refused,
  ),
  'format-narrowed': narrower(replaced('format'), ({ is }: Replaced<string>) => invalid(is)),
  'format-widened': wider(replaced('format'), ({ was }: Replaced<string>) => invalid(was)),
  'format-changed': other(
    replaced('format'),
    ({ is }: Replaced<string>) => invalid(is),
    ({ was }) => invalid(was),
  ),
  // Bounds imply a format of integers.
  'format-annotation-changed': explicit<Replaced<string> & { readonly areIntegers: boolean }>(
    replaced('format'),
    ({ areIntegers }) =>
      areIntegers
        ? always('compatible', 'The same integers are valid.')
        : always(
            'risky',
            'The same values are valid; a client or its SDK may interpret them differently.',
          ),
  ),
  'pattern-set': narrower(
    ({ is }: Patterns) => `pattern ${is} was set`,
    ({ is, lost }) => unmatched(lost, is),
  ),
  'pattern-removed': wider(
    ({ was }: Patterns) => `pattern ${was} was removed`,
    ({ was, gained }) => unmatched(gained, was),
  ),
  'pattern-changed': {
    what: ({ was, is }: Patterns) => `pattern ${was} became ${is}`,
    effect: patternEffect,
  },
  ...range('minimum'),
  ...range('maximum'),
  'multiple-of-narrowed': narrower(replaced('multipleOf'), ({ is }: Replaced<unknown>) =>
    noMultiple(is),
  ),
  'multiple-of-widened': wider(replaced('multipleOf'), ({ was }: Replaced<unknown>) =>
    noMultiple(was),
  ),
  'multiple-of-changed': other(
    replaced('multipleOf'),
    ({ is }: Replaced<unknown>) => noMultiple(is),
    ({ was }) => noMultiple(was),
  ),
  ...lengths('min-length', 'minLength', 'a string shorter than'),
  ...lengths('max-length', 'maxLength', 'a string longer than'),
  ...lengths('min-items', 'minItems', 'an array shorter than'),
  ...lengths('max-items', 'maxItems', 'an array longer than'),
  ...lengths('min-properties', 'minProperties', 'an object with fewer properties than'),
  ...lengths('max-properties', 'maxProperties', 'an object with more properties than'),
  'unique-items-set': narrower<object>(
    () => 'uniqueItems was set',
    () => 'an array that contains a value twice',
  ),
  'unique-items-removed': wider<object>(
    () => 'uniqueItems was removed',
    () => 'an array that contains a value twice',
  ),
  'content-encoding-changed': contentRule('contentEncoding'),
  'content-media-type-changed': contentRule('contentMediaType'),
};
