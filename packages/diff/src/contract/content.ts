// Compares request bodies and the media types under `content`.
import {
  type Content,
  Contents,
  type ContractObject,
  isJson,
  isSequential,
  isXml,
  parseMediaType,
  type RequestBody,
} from '@stubwright/contract';
import type { Holder, Holders } from '../counterexample/carrier.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change, directedChange } from '../rules/rules.ts';
import type { Wire } from '../schema/wire.ts';
import { compareCharsets } from './charset.ts';
import type { ComparedPart } from './comparedPart.ts';
import { compareEncodings, comparePositions } from './encoding.ts';
import { isCovered, mediaTypeKey } from './serialization.ts';
import type { Both } from './sides.ts';

/** An operation or webhook with its request body. */
interface BodyHolder {
  readonly requestBody: RequestBody | undefined;
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
      const kind = after.isRequired ? 'required' : 'optional';
      holder.report(directedChange(`${kind}-body-added`, { direction }), '', { after });
    }
    if (before !== undefined) {
      holder.report(directedChange('body-removed', { direction }), '', { before });
    }
    return;
  }
  const body = holder.with({ before, after });
  if (body.isUnchanged) return;
  if (before.isRequired !== after.isRequired) {
    const kind = after.isRequired ? 'required' : 'optional';
    body.report(directedChange(`body-became-${kind}`, { direction }), 'required');
  }
  compareContents(body);
  body.documentation(DOCUMENTATION_KEYWORDS.requestBody);
}

interface ContentHolder extends ContractObject {
  readonly contents: Contents<Content>;
}

/** Compares the `content` of two objects; a media type range matches the types that it covers. */
export function compareContents(holder: ComparedPart<ContentHolder>): void {
  const [was, is] = [byMediaType(holder.before), byMediaType(holder.after)];
  const namesOf = (side: 'before' | 'after', key: string) =>
    holder[side].contents.keys.filter((name) => mediaTypeKey(name) === key);
  const names = [...new Set([...was.keys, ...is.keys])];
  for (const name of names) {
    const inside = holder.within(name, { mediaType: name });
    const before = was.get(name) ?? rangeOf(name, was);
    const after = is.get(name) ?? rangeOf(name, is);
    if (before !== undefined && after !== undefined) {
      const part = names.length > 1 ? inside : holder;
      compareMediaType(part, { before, after }, name);
      if (was.get(name) !== undefined && is.get(name) !== undefined) {
        const media = part.with({ before: before.value, after: after.value });
        compareCharsets(media, { before: namesOf('before', name), after: namesOf('after', name) });
      }
    } else if (before === undefined) {
      const entry = { after: after?.value };
      inside.report(directedChange('media-type-added', inside), 'content', entry);
    } else if (inside.direction === 'response' && isNarrowed(name, is)) {
      inside.report(change('response-media-range-narrowed'), 'content', { before: before.value });
    } else {
      const entry = { before: before.value };
      inside.report(directedChange('media-type-removed', inside), 'content', entry);
    }
  }
}

/** With the media types that the contract has. */
type MediaTypes = Contents<Holder<Content>>;

function byMediaType({ contents }: ContentHolder): MediaTypes {
  return new Contents(
    Array.from(contents, ([name, value]) => [mediaTypeKey(name), { name, value }]),
  );
}

/** @returns the media type range that covers a media type */
function rangeOf(name: string, declared: MediaTypes): Holder<Content> | undefined {
  const sent = parseMediaType(name);
  return sent?.type.includes('*') ? undefined : declared.select(sent)?.content;
}

/** True if a range covers one of the media types. */
function isNarrowed(range: string, declared: MediaTypes): boolean {
  return range.includes('*') && declared.keys.some((name) => isCovered(name, [range]));
}

function compareMediaType(part: ComparedPart, holders: Holders<Content>, name: string): void {
  const media = part.with({ before: holders.before.value, after: holders.after.value });
  if (media.isUnchanged) return;
  const type = parseMediaType(name)?.type ?? name;
  // Each item of a sequence is JSON, with any delimiter.
  const declareItems = [media.before, media.after].map((each) => each.declaresItems);
  const isRaw = wireOf(type) === 'json' && !isJson(type);
  const isBytes = isRaw && media.views('text').every(({ isFile }) => isFile);
  // The array of a sequence has the items that another version of OpenAPI declares by themselves.
  const isRenamed =
    isSequential(type) && declareItems.includes(true) && declareItems.includes(false);
  if (isRenamed) media.sequence();
  else if (!isBytes) media.schemas(wireOf(type), holders);
  if (declareItems.includes(true)) media.within('item').items();
  media.within('resource').patchedResource();
  media.documentation(DOCUMENTATION_KEYWORDS.mediaType, isPatch(media) ? ['x-patch-of'] : []);
  if (isMultipart(type)) comparePositions(media);
  if (wireOf(type) === 'form') compareEncodings(media, { isMultipart: isMultipart(type) });
  else media.documentation(['encoding']);
}

/** True if both contracts declare the resource that a patch changes. */
function isPatch({ before, after }: Both<Content>): boolean {
  return before.patchOf !== undefined && after.patchOf !== undefined;
}

function isMultipart(type: string): boolean {
  return type.startsWith('multipart/');
}

function wireOf(type: string): Wire {
  if (isXml(type)) return 'xml';
  if (isMultipart(type) || type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') && !isJson(type) ? 'text' : 'json';
}
