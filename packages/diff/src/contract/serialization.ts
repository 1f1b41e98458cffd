// Compares `style`, `explode` and `allowReserved` of parameters, headers and parts of forms.
import {
  Contents,
  type Contract,
  type Header,
  isJson,
  Parameter,
  type ParameterLocation,
  parseMediaType,
} from '@stubwright/contract';
import type { Serialization } from '@stubwright/contract/validation';
import { directedChange } from '../rules/rules.ts';
import { FORMAT_PATTERNS, hasNoString } from '../schema/language.ts';
import { lengthOf } from '../schema/lengths.ts';
import { itemOf, tupleLength } from '../schema/memberTerms.ts';
import { classifyFinding, findingOf } from '../schema/schemaFinding.ts';
import { type Term, termOf } from '../schema/term.ts';
import { View } from '../schema/view.ts';
import { type Type, VALUE_TYPES } from '../values/formatting.ts';
import type { Both, ComparedPart } from './comparedPart.ts';

/** Styles that write a scalar as it is. */
const PLAIN_STYLES = ['form', 'simple', 'spaceDelimited', 'pipeDelimited', 'deepObject'];
/** Styles that delimit the items of an array, unless they explode it. */
const DELIMITING_STYLES = ['form', 'spaceDelimited', 'pipeDelimited'];
/** Types whose text needs no escapes, and is the same in JSON. */
const BARE_TYPES: readonly Type[] = ['boolean', 'integer', 'nonInteger'];

/** How a value is written as text: that of a parameter, or of a part of a form as in a query. */
interface WrittenValue {
  readonly in: ParameterLocation;
  readonly serialization: Serialization;
  /** Its media types. */
  readonly content?: string;
}

/** The serialization keywords, with OpenAPI's defaults for absent ones. */
function keywordsOf({ serialization, content = 'none' }: WrittenValue) {
  const { style, explode, allowReserved = false } = serialization;
  return { style, explode, allowReserved, content };
}

/** The same as {@link compareSerialization}, for a parameter or a header. */
export function compareText(part: ComparedPart<Header>): boolean {
  const { before, after, direction } = part;
  const written = { before: writtenOf(before), after: writtenOf(after) };
  const views = [before, after].map((header) => new View(direction, describedTerm(header), 'form'));
  return compareSerialization(part, written, views);
}

/** @returns the schema of the value, also that of `content` */
function describedTerm({ valueSchema, pointer }: Header): Term {
  return termOf(valueSchema, pointer);
}

/**
 * Compares the schemas of values with the same text and another media type, which is not sent.
 *
 * @returns false if both declare the same media type, or none
 */
export function compareAcrossContent(part: ComparedPart<Header>): boolean {
  const { before, after } = part;
  const [was, is] = [before, after].map((header) => writtenOf(header).content);
  if (was === is) return false;
  const areJson = [was, is].every((each) => each !== undefined && isJson(each));
  part.terms(describedTerm(before), describedTerm(after), areJson ? 'json' : 'form');
  return true;
}

/**
 * Reports an array whose text is a string of the other contract: a style without `explode` delimits its items.
 *
 * @returns false for other schemas, which it does not report
 */
export function compareAsText(part: ComparedPart<Header>): boolean {
  const { direction, before, after } = part;
  const [was, is] = part.views('form');
  const isSent = direction === 'request';
  const [array, text] = isSent ? [was, is] : [is, was];
  const { style, explode } = (isSent ? before : after).serialization;
  const isDelimited = style === 'simple' || (DELIMITING_STYLES.includes(style) && !explode);
  const isArray = array.types.size === 1 && array.has('array');
  if (!isArray || !isDelimited || !text.isFreeText) return false;
  if ([was, is].some((view) => view.all('default').length > 0)) return false;
  const [lost, gained] = isSent ? [[], text.types] : [text.types, []];
  const facts = { was: was.types, is: is.types, lost: [...lost], gained: [...gained] };
  const at = { before: was.at('type'), after: is.at('type') };
  const finding = findingOf(`type-${isSent ? 'widened' : 'narrowed'}`, facts, at);
  const entry = { before: { pointer: at.before }, after: { pointer: at.after } };
  part.report(classifyFinding(finding, direction, 'same'), '', entry);
  return true;
}

function writtenOf(declared: Header): WrittenValue {
  const { serialization, contents } = declared;
  const where = declared instanceof Parameter ? declared.in : 'header';
  if (declared.field('content') === undefined) return { in: where, serialization };
  return { in: where, serialization, content: contents.keys.map(mediaTypeKey).join(', ') };
}

/**
 * Compares the keywords that change the text of a value that both schemas allow.
 *
 * @param views the schemas of both values
 * @returns true if the text changed
 */
export function compareSerialization(
  part: ComparedPart,
  { before, after }: Both<WrittenValue>,
  views: readonly View[],
): boolean {
  const { direction } = part;
  const [was, is] = [keywordsOf(before), keywordsOf(after)];
  const isRelevant = {
    style: () => styleMatters(was.style, is.style, views),
    explode: () => explodeMatters(is.style, views),
    // The escaped forms stay valid.
    allowReserved: () =>
      was.allowReserved && isReserving(before, part.context.before) && !areUnreserved(views),
    content: () => contentMatters(was, is, views),
  };
  const changed = (['style', 'explode', 'allowReserved', 'content'] as const).filter(
    (keyword) => was[keyword] !== is[keyword] && isRelevant[keyword](),
  );
  for (const keyword of changed) {
    const facts = { direction, keyword, was: was[keyword], is: is[keyword] };
    part.report(directedChange('serialization-changed', facts), keyword);
  }
  return changed.length > 0;
}

/** OpenAPI 3.2 extends `allowReserved` from the query to paths and cookies. */
function isReserving(
  { in: where, serialization: { style } }: WrittenValue,
  { isVersion32 }: Contract,
): boolean {
  if (where === 'query') return true;
  return isVersion32 && (where === 'path' || where === 'cookie') && style !== 'cookie';
}

function share(views: readonly View[], type: Type): boolean {
  return views.every((view) => view.has(type));
}

function styleMatters(was: string, is: string, views: readonly View[]): boolean {
  // The style of cookies differs from `form` in its escapes and delimiters.
  const areCookies = [was, is].every((style) => style === 'form' || style === 'cookie');
  if (areCookies) return !areBare(views);
  const arePlain = PLAIN_STYLES.includes(was) && PLAIN_STYLES.includes(is);
  if (!arePlain || share(views, 'object')) return true;
  return share(views, 'array') && ![was, is].every((style) => areSingleItems(style, views));
}

/** In style `simple` an array has commas with and without `explode`. */
function explodeMatters(style: string, views: readonly View[]): boolean {
  if (share(views, 'object')) return true;
  return share(views, 'array') && style !== 'simple' && !areSingleItems(style, views);
}

/** A number or boolean in the query is the same text in `style` and as JSON; so is a value in two JSON types. */
function contentMatters(
  was: ReturnType<typeof keywordsOf>,
  is: ReturnType<typeof keywordsOf>,
  views: readonly View[],
): boolean {
  const contents = [was, is].map(({ content }) => content);
  if (contents.every((content) => isJson(content))) return false;
  const isJsonOrNone = contents.every((content) => content === 'none' || isJson(content));
  const styles = [was, is].flatMap(({ style, content }) => (content === 'none' ? [style] : []));
  const arePlain = styles.every((style) => PLAIN_STYLES.includes(style));
  return !isJsonOrNone || !arePlain || !areBare(views);
}

/** True if all values that both schemas allow are numbers and booleans. */
function areBare(views: readonly View[]): boolean {
  return VALUE_TYPES.every(
    (type) => BARE_TYPES.includes(type) || !views.every((view) => view.has(type)),
  );
}

/** Characters that a URL has without escapes. */
const UNRESERVED = '^[A-Za-z0-9._~-]*$';

/** True if no text of the values that both schemas allow has a character that a URL escapes. */
function areUnreserved(views: readonly View[]): boolean {
  if (views.some(hasUnreservedValues)) return true;
  if (share(views, 'object')) return false;
  // One value is an array of one item.
  const arrays = views.filter((view) => view.has('array'));
  if (arrays.some((view) => tupleLength(view) > 0 || view.types.size > 1)) return false;
  if (arrays.length > 0) {
    return areUnreserved(
      views.map((view) => {
        return view.has('array') ? new View(view.direction, itemOf(view, 0), 'text') : view;
      }),
    );
  }
  return !share(views, 'string') || views.some(hasUnreservedPattern);
}

function hasUnreservedValues({ values }: View): boolean {
  if (values === undefined) return false;
  return [...values.values()].every((value) => new RegExp(UNRESERVED).test(String(value)));
}

function hasUnreservedPattern(view: View): boolean {
  const formats = view.all('format').map((value) => FORMAT_PATTERNS[value as string]?.pattern);
  const patterns = [...view.all('pattern'), ...formats].filter(
    (value) => typeof value === 'string',
  );
  return (
    patterns.length > 0 &&
    hasNoString({ patterns, min: 0, max: Number.POSITIVE_INFINITY }, [UNRESERVED])
  );
}

/** True if both allow only arrays of one number or boolean: there is nothing to delimit. */
function areSingleItems(style: string, views: readonly View[]): boolean {
  if (!PLAIN_STYLES.includes(style) || style === 'deepObject') return false;
  const lengths = (keyword: 'minItems' | 'maxItems') =>
    views.map((view) => lengthOf(view, keyword).effective);
  const isOne = Math.max(...lengths('minItems')) >= 1 && Math.min(...lengths('maxItems')) <= 1;
  return isOne && areBare(views.map((view) => new View(view.direction, itemOf(view, 0), 'text')));
}

/**
 * @returns true if the text of a scalar is an array of one item: the style divides arrays into pairs, or
 *   no text of the scalar has a delimiter
 */
export function isSingleItem(scalar: View, { style, explode }: Serialization): boolean {
  if (style === 'form' && explode) return true;
  if (!PLAIN_STYLES.includes(style) || style === 'deepObject') return false;
  if (!scalar.has('string')) return true;
  const texts = scalar.values === undefined ? [','] : [...scalar.values.values()].map(String);
  return texts.every((text) => !/[,|\s]/.test(text));
}

/** @returns a media type in lower case, without `charset` */
export function mediaTypeKey(name: string): string {
  const { type, parameters } = parseMediaType(name) ?? { type: name, parameters: new Map() };
  return [type, ...[...parameters].map(([key, value]) => `${key}=${value}`)].join('; ');
}

/** True if one of the media types and ranges covers a media type. */
export function isCovered(type: string, ranges: readonly string[]): boolean {
  return new Contents(ranges.map((range) => [range, range])).select(type) !== undefined;
}
