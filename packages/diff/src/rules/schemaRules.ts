// The rules of schemas: the text and the effect of each kind of difference, built from its facts.
import type { Direction } from '@stubwright/contract';
import {
  abbreviated,
  became,
  disjunction,
  keywordOf,
  someOf,
  type Type,
} from '../values/formatting.ts';
import type { Bound } from '../values/numberSet.ts';
import type { Severity } from './severity.ts';
import {
  type Announcement,
  announcedEffect,
  announcedSeverity,
  type EarlierSunset,
  sunsetEffect,
  sunsetText,
} from './sunset.ts';

/** Severity and effect by direction. */
type Outcomes = Readonly<Record<Direction, readonly [Severity, string]>>;

/** A narrower schema refuses values, a wider one allows more: the severity follows from the direction. */
export type SchemaEffect =
  | { readonly kind: 'narrower' | 'wider'; readonly values: string }
  | { readonly kind: 'other'; readonly lost: string; readonly gained: string }
  | { readonly kind: 'explicit'; readonly outcomes: Outcomes };

export interface FindingRule<Facts> {
  readonly what: (facts: Facts) => string;
  readonly effect: (facts: Facts) => SchemaEffect;
}

/** For the type of the facts. */
function ruleOf<Facts>(row: FindingRule<Facts>): FindingRule<Facts> {
  return row;
}

type Text<Facts> = (facts: Facts) => string;

function narrower<Facts>(what: Text<Facts>, values: Text<Facts>): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'narrower', values: values(facts) }) };
}

function wider<Facts>(what: Text<Facts>, values: Text<Facts>): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'wider', values: values(facts) }) };
}

function other<Facts>(
  what: Text<Facts>,
  lost: Text<Facts>,
  gained: Text<Facts>,
): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'other', lost: lost(facts), gained: gained(facts) }) };
}

function explicit<Facts>(
  what: Text<Facts>,
  outcomes: (facts: Facts) => Outcomes,
): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'explicit', outcomes: outcomes(facts) }) };
}

function always(severity: Severity, effect: string): Outcomes {
  return { request: [severity, effect], response: [severity, effect] };
}

/** A keyword that was set, changed or removed; `limit` bounds the values of the narrower schema. */
interface Limited {
  readonly was: number | undefined;
  readonly is: number | undefined;
  readonly limit: number | undefined;
}

/** @returns `ID-narrowed` and `ID-widened` */
function limits<Id extends string, Facts>(id: Id, what: Text<Facts>, values: Text<Facts>) {
  return {
    [`${id}-narrowed`]: narrower(what, values),
    [`${id}-widened`]: wider(what, values),
  } as Record<`${Id}-narrowed` | `${Id}-widened`, FindingRule<Facts>>;
}

function lengths<Id extends string>(id: Id, keyword: string, values: string) {
  return limits(
    id,
    ({ was, is }: Limited) => became(keyword, was, is),
    ({ limit }) => `${values} ${limit}`,
  );
}

interface Range {
  readonly was: Bound | undefined;
  readonly is: Bound | undefined;
  readonly limit: Bound;
}

function range<Side extends 'minimum' | 'maximum'>(side: Side) {
  const shown = (bound: Bound | undefined) =>
    bound?.isExclusive ? { exclusive: bound.value } : bound?.value;
  const beyond = side === 'minimum' ? 'below' : 'above';
  return limits(
    side,
    ({ was, is }: Range) => became(side, shown(was), shown(is)),
    ({ limit: { value, isExclusive } }) =>
      `a number ${beyond} ${value}${isExclusive ? ` or ${value} itself` : ''}`,
  );
}

function matchingItems<Id extends string>(id: Id, keyword: string, amount: string) {
  return limits(
    id,
    ({ was, is }: Limited) => became(keyword, was, is),
    ({ limit }) => `an array with ${amount} than ${limit} matching items`,
  );
}

interface Types {
  readonly was: ReadonlySet<Type>;
  readonly is: ReadonlySet<Type>;
  readonly lost: Type[];
  readonly gained: Type[];
}
const typesBecame = ({ was, is }: Types) => `${keywordOf(was)} became ${keywordOf(is)}`;

/** The formats, and the multiples, that only one contract has. */
interface Replaced<Item> {
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
interface Patterns {
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

interface Property {
  readonly name: string;
}
const propertyWas = (change: string) => (facts: Property) => `the property ${facts.name} ${change}`;
const withoutProperty = ({ name }: Property) => `an object without ${name}`;
const unnamed = () => 'properties that the contract does not name';
const ignored = 'Clients that ignore unknown properties are not affected.';

interface RemovedProperty extends Property {
  readonly announced: Announcement | undefined;
  /** True if the new schema allows any value of the property. */
  readonly isIgnored: boolean;
}

function propertyRemoval({ announced, isIgnored }: RemovedProperty): Outcomes {
  if (announced !== undefined) {
    return always(announcedSeverity(announced), announcedEffect(announced));
  }
  return {
    request: isIgnored
      ? ['risky', 'It is ignored.']
      : ['breaking', 'Clients that send it are refused.'],
    response: ['breaking', 'Clients that read it no longer receive it.'],
  };
}

/** A value or a schema, as written. */
interface Written {
  readonly written: unknown;
}
interface Negated extends Written {
  /** True if the schema lists the values. */
  readonly isValue: boolean;
}
const negatedValues = ({ written, isValue }: Negated) =>
  isValue ? abbreviated(written) : 'a value that it accepts';
const conditional = () => 'a value that meets the condition only';

interface Counted extends Written {
  readonly min: number;
}
const uncounted = ({ min }: Counted) =>
  min === 0 ? 'an array with too many matching items' : 'an array without a matching item';

interface Listed {
  readonly values: readonly unknown[];
}
const listed = ({ values }: Listed) => values.map(abbreviated).join(', ');
const unlisted = (facts: Listed) => `a value other than ${listed(facts)}`;

interface Value {
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

/** Values of a discriminator property, before and after. */
interface Discriminating {
  readonly was?: string | undefined;
  readonly is?: string | undefined;
}
const discriminatorBecame = ({ was, is }: Discriminating) => became('discriminator', was, is);
const ANOTHER_WAY = always('risky', 'SDKs select the schema of a value in another way.');

interface Mapping {
  readonly value: string;
  /** The name of the selected schema. */
  readonly target: string;
  /** True if the schema is found by its name, and its values stay valid. */
  readonly isByName: boolean;
}
function mapping(change: string, kind: 'narrower' | 'wider'): FindingRule<Mapping> {
  return {
    what: ({ value, target }) => `the mapping ${value} for ${target} was ${change}`,
    effect: ({ value, isByName }) =>
      isByName ? { kind: 'explicit', outcomes: ANOTHER_WAY } : { kind, values: value },
  };
}

interface Remapped {
  /** Undefined for `defaultMapping`. */
  readonly value: string | undefined;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

const selected = (value: string | undefined, target: string) =>
  `${value ?? 'a value without a mapping'} for ${target}`;

interface Alternative {
  readonly name: string;
}
interface Overlap extends Alternative {
  /** The alternatives that accept the same value; undefined if some may. */
  readonly both?: readonly string[];
  /** True if the older contract has the value. */
  readonly isOld: boolean;
}

interface Default {
  readonly was: unknown;
  readonly is: unknown;
}

function defaultEffect({ was, is }: Default): Outcomes {
  const now = is === undefined ? 'an unspecified value' : abbreviated(is);
  const meaning = `A client that omits it now gets ${now}`;
  return {
    request:
      was === undefined
        ? ['risky', `${meaning}; the older contract declares no default.`]
        : ['breaking', `${meaning} instead of ${abbreviated(was)}.`],
    response: ['risky', 'SDKs that fill in defaults fill in another value.'],
  };
}

const contentRule = (keyword: string) =>
  explicit<Default>(
    ({ was, is }) => became(keyword, was, is),
    () => always('breaking', 'The same string decodes to other bytes.'),
  );

/** The ids have no direction. */
export const SCHEMA_RULES = {
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
  'property-added': {
    what: propertyWas('was added'),
    // A closed object refused the property.
    effect: ({ name, wasRefused }: Property & { readonly wasRefused: boolean }) =>
      wasRefused
        ? { kind: 'wider', values: `the property ${name}` }
        : {
            kind: 'explicit',
            outcomes: {
              request: ['compatible', 'Clients may send it.'],
              response: ['compatible', ignored],
            },
          },
  },
  'required-property-added': explicit(propertyWas('was added'), ({ name }) => ({
    request: ['breaking', `Clients that do not send ${name} are refused, because it is required.`],
    response: ['compatible', ignored],
  })),
  'property-disallowed': narrower(
    propertyWas('was disallowed'),
    ({ name }) => `the property ${name}`,
  ),
  'property-removed': explicit<RemovedProperty>(propertyWas('was removed'), propertyRemoval),
  'property-became-required': narrower(
    ({ name }: Property) => `${name} became required`,
    withoutProperty,
  ),
  'property-became-optional': wider(
    ({ name }: Property) => `${name} became optional`,
    withoutProperty,
  ),
  'additional-properties-disallowed': narrower<object>(() => 'the object was closed', unnamed),
  'additional-properties-allowed': wider<object>(() => 'the object was opened', unnamed),
  'dependent-required-added': narrower(
    ({ values }: { readonly values: string }) => `${values} was disallowed`,
    ({ values }) => values,
  ),
  'dependent-required-removed': wider(
    ({ values }: { readonly values: string }) => `${values} was allowed`,
    ({ values }) => values,
  ),
  'pattern-property-added': wider(
    ({ pattern }: { readonly pattern: string }) => `properties that match ${pattern} were added`,
    ({ pattern }) => `properties that match ${pattern}`,
  ),
  'pattern-property-removed': narrower(
    ({ pattern }: { readonly pattern: string }) => `properties that match ${pattern} were removed`,
    ({ pattern }) => `properties that match ${pattern}`,
  ),
  'not-set': narrower(
    ({ written }: Negated) => `not ${abbreviated(written)} was set`,
    negatedValues,
  ),
  'not-removed': wider(
    ({ written }: Negated) => `not ${abbreviated(written)} was removed`,
    negatedValues,
  ),
  'condition-set': narrower(
    ({ written }: Written) => `the condition ${abbreviated(written)} was set`,
    conditional,
  ),
  'condition-removed': wider(
    ({ written }: Written) => `the condition ${abbreviated(written)} was removed`,
    conditional,
  ),
  'contains-set': narrower(
    ({ written }: Counted) => `contains ${abbreviated(written)} was set`,
    uncounted,
  ),
  'contains-removed': wider(
    ({ written }: Counted) => `contains ${abbreviated(written)} was removed`,
    uncounted,
  ),
  ...matchingItems('min-contains', 'minContains', 'fewer'),
  ...matchingItems('max-contains', 'maxContains', 'more'),
  'xml-changed': explicit<Default>(
    ({ was, is }) => became('xml', was, is),
    () => always('breaking', 'The same value is serialized differently in XML.'),
  ),
  'discriminator-added': explicit<Discriminating>(discriminatorBecame, () => ANOTHER_WAY),
  'discriminator-removed': explicit<Discriminating>(discriminatorBecame, () => ANOTHER_WAY),
  'discriminator-changed': explicit<Discriminating>(discriminatorBecame, () =>
    always('breaking', 'Another property selects the schema of a value.'),
  ),
  'discriminator-mapping-added': mapping('added', 'wider'),
  'discriminator-mapping-removed': mapping('removed', 'narrower'),
  'discriminator-mapping-changed': ruleOf<Remapped>({
    what: ({ value, was, is }) =>
      value === undefined
        ? became('defaultMapping', was, is)
        : `the mapping ${value} for ${was} became ${value} for ${is}`,
    effect: ({ value, was, is }) =>
      was === undefined || is === undefined
        ? { kind: 'explicit', outcomes: ANOTHER_WAY }
        : { kind: 'other', lost: selected(value, was), gained: selected(value, is) },
  }),
  'alternative-added': wider(
    ({ name }: Alternative) => `the alternative ${name} was added`,
    ({ name }) => name,
  ),
  'alternative-removed': narrower(
    ({ name }: Alternative) => `the alternative ${name} was removed`,
    ({ name }) => name,
  ),
  'alternatives-overlap': ruleOf<Overlap>({
    what: ({ name, both }) =>
      both === undefined
        ? `the alternative ${name} of oneOf may overlap with others`
        : `${name} is valid against two alternatives of oneOf: ${both.join(' and ')}`,
    effect: ({ name, both, isOld }) =>
      both === undefined
        ? {
            kind: 'explicit',
            outcomes: {
              request: [
                'risky',
                'Clients that send a value that is valid against two alternatives may be refused.',
              ],
              response: [
                'risky',
                'Clients may get a value that is valid against two alternatives, which oneOf does not allow.',
              ],
            },
          }
        : { kind: isOld ? 'narrower' : 'wider', values: name },
  }),
  'default-changed': explicit<Default>(({ was, is }) => became('default', was, is), defaultEffect),
  'too-complex': explicit<object>(
    () => 'the schemas differ',
    () =>
      always('risky', 'Their branches have too many combinations to compare; review this change.'),
  ),
  'sunset-earlier': explicit<EarlierSunset>(sunsetText, (facts) =>
    always('breaking', sunsetEffect(facts)),
  ),
} satisfies Record<string, FindingRule<never>>;

export type SchemaRuleId = keyof typeof SCHEMA_RULES;

export function refused(values: string): string {
  return `Clients that send ${values} are refused.`;
}

export function unexpected(values: string): string {
  return `Clients may get ${values}, which the older contract does not allow.`;
}
