// Compares types, enums, formats, bounds, lengths, defaults and documentation keywords.
import { formats, INTEGER_FORMATS, isNumericFormat, keywordsOfType } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { earlierSunset } from '../rules/sunset.ts';
import { canonical, kebabCase, type Type, without } from '../values/formatting.ts';
import {
  type Bound,
  type BoundSide,
  isMultiple,
  isStricter,
  isSubset,
} from '../values/numberSet.ts';
import { languageChange, type StringSet } from './language.ts';
import { type Length, lengthOf } from './lengths.ts';
import { documentationFinding, findingOf, type SchemaFinding } from './schemaFinding.ts';
import { isAnnotation } from './trivial.ts';
import { SCALARS, type View } from './view.ts';
import { isTextual } from './wire.ts';

/** Format of strings to the format that includes all of its values. Those of numbers are ranges. */
const WIDER_FORMATS: Readonly<Record<string, string>> = { uri: 'uri-reference', ipv4: 'hostname' };
const MEDIA_KEYWORDS = ['contentEncoding', 'contentMediaType'] as const;

export function typeFindings(before: View, after: View): SchemaFinding[] {
  // A restriction of free text is a finding of its own: the text of a number is no other type.
  const isSameType =
    before.isFreeText !== after.isFreeText && before.has('string') && after.has('string');
  const ofType = (types: Type[]) =>
    isSameType ? types.filter((type) => !SCALARS.includes(type)) : types;
  const lost = ofType(without(before.types, after.types)).filter(
    (type) => !areStrings(type, before, after),
  );
  const gained = ofType(without(after.types, before.types)).filter(
    (type) => !areStrings(type, after, before),
  );
  const at = { before: before.at('type', 'nullable'), after: after.at('type', 'nullable') };
  const facts = { was: before.types, is: after.types, lost, gained };
  if (lost.length === 0 && gained.length === 0) return [];
  const kind = lost.length === 0 ? 'widened' : gained.length === 0 ? 'narrowed' : 'changed';
  return [findingOf(`type-${kind}`, facts, at)];
}

export function formatFindings(before: View, after: View): SchemaFinding[] {
  if (!['string', 'integer', 'nonInteger'].some((type) => bothAllow(before, after, type as Type))) {
    return [];
  }
  const [was, is] = [before, after].map((view) =>
    (view.all('format') as string[]).filter((format) => !Object.hasOwn(ENCODINGS, format)),
  );
  const [lost, added] = [without(was!, is!), without(is!, was!)];
  if (lost.length === 0 && added.length === 0) return [];
  const at = { before: before.at('format'), after: after.at('format') };
  const isNarrower = added.some(
    (format) => restricts(format, before, after) && !isImplied(format, was!),
  );
  const isWider = lost.some(
    (format) => restricts(format, after, before) && !isImplied(format, is!),
  );
  const kind = isNarrower
    ? isWider
      ? 'changed'
      : 'narrowed'
    : isWider
      ? 'widened'
      : 'annotation-changed';
  const areIntegers = [...lost, ...added].every((format) => Object.hasOwn(INTEGER_FORMATS, format));
  return [findingOf(`format-${kind}`, { was: lost, is: added, areIntegers }, at)];
}

function isImplied(format: string, others: readonly string[]): boolean {
  return others.some((other) => WIDER_FORMATS[other] === format);
}

/** True if values of `other` violate a format of `view`'s schema; integer formats are ranges. */
function restricts(format: string, other: View, view: View): boolean {
  if (isNumericFormat(format) && bothAllow(other, view, 'integer')) {
    if (format === 'float' || format === 'double') return format === 'float';
    return (
      bothAllow(other, view, 'nonInteger') ||
      compareBounds(other.bound('minimum'), view.bound('minimum'), 'minimum') > 0 ||
      compareBounds(other.bound('maximum'), view.bound('maximum'), 'maximum') > 0
    );
  }
  return bothAllow(other, view, 'string') && Object.hasOwn(formats, format);
}

function bothAllow(before: View, after: View, type: Type): boolean {
  return before.has(type) && after.has(type);
}

/** OpenAPI 3.0 has formats in place of `contentEncoding`. */
const ENCODINGS: Readonly<Record<string, string | undefined>> = {
  byte: 'base64',
  base64url: 'base64url',
  binary: undefined,
};

/** The encoding and the media type of a string. */
function contentOf(view: View): Readonly<Record<'contentEncoding' | 'contentMediaType', unknown>> {
  const named = view.all('format').filter((value) => Object.hasOwn(ENCODINGS, value as string));
  const isBinary = named.includes('binary');
  const encoding = view.all('contentEncoding')[0] ?? ENCODINGS[named[0] as string];
  return {
    contentEncoding: encoding,
    contentMediaType:
      view.all('contentMediaType')[0] ?? (isBinary ? 'application/octet-stream' : undefined),
  };
}

export function mediaFindings(before: View, after: View): SchemaFinding[] {
  if (!bothAllow(before, after, 'string') || after.isFile || before.isFile) return [];
  const [was, is] = [contentOf(before), contentOf(after)];
  return MEDIA_KEYWORDS.flatMap((keyword): SchemaFinding[] => {
    if (was[keyword] === is[keyword]) return [];
    const at = { before: before.at(keyword, 'format'), after: after.at(keyword, 'format') };
    const facts = { was: was[keyword], is: is[keyword] };
    return [findingOf(`${kebabCase(keyword)}-changed`, facts, at)];
  });
}

/** The default of a schema itself, otherwise of its last conjunct, applies. */
function defaultOf({ conjuncts: [own, ...inherited] }: View): unknown {
  const defaults = inherited.flatMap(({ schema }) => schema.keywords['default'] ?? []);
  return own?.schema.keywords['default'] ?? defaults.at(-1);
}

function haveSameText(was: unknown, is: unknown, { wire }: View): boolean {
  const areScalars = [was, is].every((value) => value !== undefined && typeof value !== 'object');
  return areScalars && isTextual(wire) && String(was) === String(is);
}

/** @param isAlwaysSent the default of a value that every client sends is documentation */
export function defaultFindings(
  before: View,
  after: View,
  { isAlwaysSent }: { readonly isAlwaysSent: boolean },
): SchemaFinding[] {
  const [was, is] = [defaultOf(before), defaultOf(after)];
  if (canonical(was) === canonical(is) || haveSameText(was, is, before)) return [];
  const at = { before: before.at('default'), after: after.at('default') };
  if (isAlwaysSent) return [documentationFinding('default', at)];
  return [findingOf('default-changed', { was, is }, at)];
}

export function documentationFindings(
  before: View,
  after: View,
  policy: { readonly minimumNoticeDays: number },
): SchemaFinding[] {
  const extensions = [before, after].flatMap(({ conjuncts }) =>
    conjuncts.flatMap(({ schema }) =>
      Object.keys(schema.keywords).filter(
        (keyword) => keyword.startsWith('x-') && keyword !== 'x-extensible-enum',
      ),
    ),
  );
  const sunset = sunsetFindings(before, after, policy.minimumNoticeDays);
  const keywords = [...DOCUMENTATION_KEYWORDS.schema, ...new Set(extensions)].filter(
    (keyword) => sunset.length === 0 || !['deprecated', 'x-sunset'].includes(keyword),
  );
  const documentation = keywords.flatMap((keyword): SchemaFinding[] => {
    if (canonical(before.all(keyword)) === canonical(after.all(keyword))) return [];
    const at = { before: before.at(keyword), after: after.at(keyword) };
    return [documentationFinding(keyword, at)];
  });
  return [...sunset, ...documentation];
}

function sunsetFindings(before: View, after: View, minimumNoticeDays: number): SchemaFinding[] {
  const [was, is] = [before, after].map((view) => ({
    deprecated: view.all('deprecated').includes(true),
    'x-sunset': view.all('x-sunset')[0],
  }));
  const earlier = earlierSunset(was!, is!, minimumNoticeDays);
  if (earlier === undefined) return [];
  const at = { before: before.at('x-sunset'), after: after.at('x-sunset') };
  return [findingOf('sunset-earlier', earlier, at)];
}

const OF_STRINGS = new Set(keywordsOfType('string'));
const DIGITS = '(?:0|[1-9][0-9]*)';
/** Longer texts of bounded integers take too many states. */
const MAX_DIGITS = 20;

/** True if the text of each value of a type is a string that the other schema allows. */
function areStrings(type: Type, own: View, other: View): boolean {
  if (!isTextual(own.wire) || !other.has('string')) return false;
  const [texts, strings] = [textsOf(type, own), stringsOf(other)];
  if (texts === undefined || strings === undefined) return false;
  const change = languageChange(texts, strings);
  return change !== undefined && change.lost === undefined;
}

function textsOf(type: Type, view: View): StringSet | undefined {
  const lengths = { min: 0, max: Number.POSITIVE_INFINITY };
  switch (type) {
    case 'boolean':
      return { patterns: ['^(?:true|false)$'], ...lengths };
    case 'integer':
      return { patterns: [integersOf(view)], ...lengths };
    case 'nonInteger':
      return { patterns: [`^-?${DIGITS}(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`], ...lengths };
    default:
      return undefined;
  }
}

function integersOf(view: View): string {
  const [from, to] = [view.bound('minimum')?.value, view.bound('maximum')?.value].map((bound) =>
    bound === undefined ? undefined : BigInt(Math.trunc(Number(bound))),
  );
  const sign = from !== undefined && from >= 0n ? '' : '-?';
  if (from === undefined || to === undefined) return `^${sign}${DIGITS}$`;
  const count = Math.max(...[from, to].map((number) => `${number}`.replace('-', '').length));
  return count > MAX_DIGITS ? `^${sign}${DIGITS}$` : `^${sign}(?:0|[1-9][0-9]{0,${count - 1}})$`;
}

/** @returns undefined if other keywords restrict the strings */
function stringsOf({ conjuncts, term }: View): StringSet | undefined {
  if (term.only !== undefined) return undefined;
  const keywords = conjuncts.flatMap(({ schema }) => Object.entries(schema.keywords));
  const isSimple = conjuncts.every(({ schema }) =>
    Object.keys(Object(schema.written)).every(
      (name) => name === 'type' || OF_STRINGS.has(name) || isAnnotation(name),
    ),
  );
  if (!isSimple) return undefined;
  const all = (name: string) => keywords.flatMap(([each, value]) => (each === name ? [value] : []));
  return {
    patterns: all('pattern'),
    min: Math.max(0, ...all('minLength').map(Number)),
    max: Math.min(Number.POSITIVE_INFINITY, ...all('maxLength').map(Number)),
  };
}

const LENGTHS = [
  ['minLength', 'string'],
  ['maxLength', 'string'],
  ['minItems', 'array'],
  ['maxItems', 'array'],
  ['minProperties', 'object'],
  ['maxProperties', 'object'],
] as const satisfies readonly (readonly [Length, Type])[];

export function boundFindings(before: View, after: View): SchemaFinding[] {
  return [
    ...numberFindings(before, after),
    ...LENGTHS.flatMap(([keyword, type]) =>
      before.has(type) && after.has(type) ? lengthFindings(keyword, before, after) : [],
    ),
    ...uniqueFindings(before, after),
  ];
}

/** The numbers that only one of the views allows; the range that a format implies is compared with the formats. */
function numberFindings(before: View, after: View): SchemaFinding[] {
  if (![before, after].every((view) => view.has('integer', 'nonInteger'))) return [];
  const areIntegers = !before.has('nonInteger') || !after.has('nonInteger');
  const [was, is] = [before.numbers({ areIntegers }), after.numbers({ areIntegers })];
  const change = { isNarrower: !isSubset(was, is), isWider: !isSubset(is, was) };
  if (!change.isNarrower && !change.isWider) return [];
  return [
    ...rangeFindings('minimum', before, after, change),
    ...rangeFindings('maximum', before, after, change),
    ...stepFindings(before, after, { ...change, areIntegers }),
  ].map((rangeFinding) => ({ ...rangeFinding, isDecided: true }));
}

interface NumberChange {
  readonly isNarrower: boolean;
  readonly isWider: boolean;
}

function rangeFindings(
  side: BoundSide,
  before: View,
  after: View,
  change: NumberChange,
): SchemaFinding[] {
  const was = before.explicitBound(side);
  const is = after.explicitBound(side);
  if (compareBounds(was, is, side) === 0) return [];
  const effect = compareBounds(before.bound(side), after.bound(side), side);
  const isNarrower = effect > 0;
  if (effect === 0 || !(isNarrower ? change.isNarrower : change.isWider)) return [];
  const limit = (isNarrower ? after : before).bound(side)!;
  const at = {
    before: before.at(...RANGE_KEYWORDS[side]),
    after: after.at(...RANGE_KEYWORDS[side]),
  };
  return [findingOf(`${side}-${isNarrower ? 'narrowed' : 'widened'}`, { was, is, limit }, at)];
}

const RANGE_KEYWORDS = {
  minimum: ['minimum', 'exclusiveMinimum'],
  maximum: ['maximum', 'exclusiveMaximum'],
} as const;

/** @returns 1 if the second bound is stricter, -1 if the first is, otherwise 0 */
function compareBounds(was: Bound | undefined, is: Bound | undefined, side: BoundSide): number {
  if (is !== undefined && (was === undefined || isStricter(is, was, side))) return 1;
  return was !== undefined && (is === undefined || isStricter(was, is, side)) ? -1 : 0;
}

function stepFindings(
  before: View,
  after: View,
  { isNarrower, isWider, areIntegers }: NumberChange & { readonly areIntegers: boolean },
): SchemaFinding[] {
  const [was, is] = [before.step({ areIntegers }), after.step({ areIntegers })];
  const isFiner = is !== undefined && (was === undefined || isMultiple(is, was));
  const isCoarser = was !== undefined && (is === undefined || isMultiple(was, is));
  if (was === is || (isFiner && isCoarser)) return [];
  const at = { before: before.at('multipleOf'), after: after.at('multipleOf') };
  const steps = { was: before.all('multipleOf'), is: after.all('multipleOf') };
  if (isFiner) return isNarrower ? [findingOf('multiple-of-narrowed', steps, at)] : [];
  if (isCoarser) return isWider ? [findingOf('multiple-of-widened', steps, at)] : [];
  const kind = isNarrower ? (isWider ? 'changed' : 'narrowed') : 'widened';
  return [findingOf(`multiple-of-${kind}`, steps, at)];
}

function lengthFindings(keyword: Length, before: View, after: View): SchemaFinding[] {
  const isMinimum = keyword.startsWith('min');
  const absent = isMinimum ? 0 : Number.POSITIVE_INFINITY;
  const written = (length: number) => (length === absent ? undefined : length);
  const [was, is] = [lengthOf(before, keyword), lengthOf(after, keyword)];
  if (was.explicit === is.explicit || was.effective === is.effective) return [];
  const isNarrower = isMinimum === is.effective > was.effective;
  const facts = {
    was: written(was.explicit),
    is: written(is.explicit),
    limit: (isNarrower ? is : was).effective,
  };
  const at = { before: before.at(keyword), after: after.at(keyword) };
  return [findingOf(`${kebabCase(keyword)}-${isNarrower ? 'narrowed' : 'widened'}`, facts, at)];
}

function uniqueFindings(before: View, after: View): SchemaFinding[] {
  if (!before.has('array') || !after.has('array')) return [];
  const [was, is] = [before, after].map((view) => view.all('uniqueItems').includes(true));
  const longest = Math.min(...[before, after].map((view) => lengthOf(view, 'maxItems').effective));
  if (was === is || longest < 2) return [];
  const at = { before: before.at('uniqueItems'), after: after.at('uniqueItems') };
  return [findingOf(is ? 'unique-items-set' : 'unique-items-removed', {}, at)];
}
