// The rules of schemas: the text and the effect of each kind of difference, built from its facts.
import { abbreviated, became } from '../values/formatting.ts';
import {
  always,
  explicit,
  type FindingRule,
  narrowedAndWidened,
  narrower,
  type Outcomes,
  ruleOf,
  wider,
} from './schemaRule.ts';
import {
  type Announcement,
  announcedEffect,
  announcedSeverity,
  type EarlierSunset,
  sunsetEffect,
  sunsetText,
} from './sunset.ts';
import { type BoundKeyword, VALUE_RULES } from './valueRules.ts';

function matchingItems<Id extends string>(id: Id, keyword: string, amount: string) {
  return narrowedAndWidened(
    id,
    ({ was, is }: BoundKeyword) => became(keyword, was, is),
    ({ limit }) => `an array with ${amount} than ${limit} matching items`,
  );
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

/** The ids have no direction. */
export const SCHEMA_RULES = {
  ...VALUE_RULES,
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
