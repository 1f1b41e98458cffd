// Compares `style`, `explode` and `allowReserved` of parameters, headers and parts of forms.
import { type Definition, type Node, parseMediaType } from '@stubwright/contract';
import { serializationOf } from '@stubwright/contract/values';
import { directedChange } from '../rules/rules.ts';
import type { View } from '../schema/view.ts';
import type { ComparedPart } from './comparedPart.ts';

/** Styles that write a scalar as it is. */
const PLAIN_STYLES = ['form', 'simple', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

/** The serialization keywords, with OpenAPI's defaults for absent ones. */
function keywordsOf(node: Node) {
  const { allowReserved = false, content } = node;
  const media = content === undefined ? 'none' : Object.keys(content).map(mediaTypeKey).join(', ');
  return { ...serializationOf(node), allowReserved, content: media };
}

/**
 * Compares the keywords that change the text of a value that both schemas allow.
 *
 * @returns true if the text changed
 */
export function compareSerialization(part: ComparedPart): boolean {
  const { before, after, direction } = part;
  const [was, is] = [keywordsOf(before.node), keywordsOf(after.node)];
  const views = part.views('form');
  const isRelevant = {
    style: () => styleMatters(was.style, is.style, views),
    explode: () => explodeMatters(is.style, views),
    // The escaped forms stay valid.
    allowReserved: () => was.allowReserved && isReserving(before.node, part.context.before),
    content: () => true,
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
function isReserving({ in: where, style }: Node, { document }: Definition): boolean {
  if (where === 'query' || where === undefined) return true;
  const isVersion32 = String(document['openapi']).startsWith('3.2');
  return isVersion32 && (where === 'path' || where === 'cookie') && style !== 'cookie';
}

function share(views: readonly View[], type: 'array' | 'object'): boolean {
  return views.every((view) => view.has(type));
}

function styleMatters(was: string, is: string, views: readonly View[]): boolean {
  const arePlain = PLAIN_STYLES.includes(was) && PLAIN_STYLES.includes(is);
  return !arePlain || share(views, 'array') || share(views, 'object');
}

/** In style `simple` an array has commas with and without `explode`. */
function explodeMatters(style: string, views: readonly View[]): boolean {
  return share(views, 'object') || (share(views, 'array') && style !== 'simple');
}

/**
 * @returns true if the text of a scalar is an array of one item: the style divides arrays into pairs, or
 *   no text of the scalar has a delimiter
 */
export function isSingleItem(scalar: View, node: Node): boolean {
  const { style, explode } = serializationOf(node);
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
