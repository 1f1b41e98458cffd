// Compares request bodies and the media types under `content`.
import {
  Contents,
  contentsOf,
  type Definition,
  isJson,
  isSequential,
  isXml,
  type LocatedNode,
  parseMediaType,
} from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change, directedChange } from '../rules/rules.ts';
import type { Wire } from '../schema/wire.ts';
import type { ComparedPart } from './comparedPart.ts';
import { compareEncodings, comparePositions } from './encoding.ts';
import { mediaTypeKey } from './serialization.ts';

/** An operation or webhook with its request body. */
interface BodyHolder {
  readonly requestBody: LocatedNode | undefined;
}

export function compareRequestBody(
  operation: ComparedPart,
  { requestBody: before }: BodyHolder,
  { requestBody: after }: BodyHolder,
): void {
  const holder = operation.within('request body');
  const { direction } = holder;
  if (before === undefined || after === undefined) {
    if (after !== undefined) {
      const kind = after.node.required === true ? 'required' : 'optional';
      holder.report(directedChange(`${kind}-body-added`, { direction }), '', { after });
    }
    if (before !== undefined) {
      holder.report(directedChange('body-removed', { direction }), '', { before });
    }
    return;
  }
  const body = holder.with({ before, after });
  if (body.isUnchanged) return;
  const [wasRequired, isRequired] = [before, after].map(({ node }) => node.required === true);
  if (wasRequired !== isRequired) {
    const kind = isRequired ? 'required' : 'optional';
    body.report(directedChange(`body-became-${kind}`, { direction }), 'required');
  }
  compareContents(body);
  body.documentation(DOCUMENTATION_KEYWORDS.requestBody);
}

/** Compares the `content` of two nodes; a media type range matches the types that it covers. */
export function compareContents(holder: ComparedPart): void {
  const { context } = holder;
  const was = byMediaType(context.before, holder.before);
  const is = byMediaType(context.after, holder.after);
  const names = [...new Set([...was.keys, ...is.keys])];
  for (const name of names) {
    const inside = holder.within(name, holder, { mediaType: name });
    const before = was.get(name) ?? rangeOf(name, was);
    const after = is.get(name) ?? rangeOf(name, is);
    if (before !== undefined && after !== undefined) {
      compareMediaType((names.length > 1 ? inside : holder).with({ before, after }), name);
    } else if (before === undefined) {
      inside.report(directedChange('media-type-added', inside), 'content', { after });
    } else if (inside.direction === 'response' && isNarrowed(name, is)) {
      inside.report(change('response-media-range-narrowed'), 'content', { before });
    } else inside.report(directedChange('media-type-removed', inside), 'content', { before });
  }
}

type MediaTypes = Contents<LocatedNode>;

function byMediaType(definition: Definition, holder: LocatedNode): MediaTypes {
  const entries = [...contentsOf(definition, holder)];
  return new Contents(entries.map(([name, media]) => [mediaTypeKey(name), media]));
}

/** @returns the media type range that covers a media type */
function rangeOf(name: string, declared: MediaTypes): LocatedNode | undefined {
  const sent = parseMediaType(name);
  return sent?.type.includes('*') ? undefined : declared.select(sent)?.content;
}

/** True if a range covers one of the media types. */
function isNarrowed(range: string, declared: MediaTypes): boolean {
  const ranges = new Contents([[range, range]]);
  return range.includes('*') && declared.keys.some((name) => ranges.select(name) !== undefined);
}

function compareMediaType(media: ComparedPart, name: string): void {
  if (media.isUnchanged) return;
  const type = parseMediaType(name)?.type ?? name;
  const isForm = isMultipart(type) || type === 'application/x-www-form-urlencoded';
  const declareItems = [media.before, media.after].map(declaresItems);
  const isBytes = isRaw(type) && media.views('text').every(({ isFile }) => isFile);
  // The array of a sequence has the items that another version of OpenAPI declares by themselves.
  const isRenamed =
    isSequential(type) && declareItems.includes(true) && declareItems.includes(false);
  if (!isBytes && !isRenamed) media.schemas(wireOf(type));
  if (declareItems.includes(true)) media.within('item').items();
  media.documentation(DOCUMENTATION_KEYWORDS.mediaType);
  if (isMultipart(type)) comparePositions(media);
  if (isForm) compareEncodings(media, { isMultipart: isMultipart(type) });
  else media.documentation(['encoding']);
}

/** Each item of a sequence is JSON, with any delimiter. */
function declaresItems({ node }: LocatedNode): boolean {
  return node['itemSchema'] !== undefined || node['x-item-schema'] !== undefined;
}

function isMultipart(type: string): boolean {
  return type.startsWith('multipart/');
}

function isRaw(type: string): boolean {
  return !isJson(type) && !isXml(type) && wireOf(type) === 'json';
}

function wireOf(type: string): Wire {
  if (isXml(type)) return 'xml';
  if (isMultipart(type) || type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') && !isJson(type) ? 'text' : 'json';
}
