// Compares request bodies and the media types under `content`.

import {
  type Content,
  Contents,
  type ContractObject,
  type Encoding,
  isJson,
  isSequential,
  isXml,
  parseMediaType,
  type RequestBody,
} from '@stubwright/contract';
import type { Holder, Holders } from '../counterexample/carrier.ts';
import { change, directedChange } from '../rules/rules.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { itemOf } from '../schema/memberTerms.ts';
import { View } from '../schema/view.ts';
import type { Wire } from '../schema/wire.ts';
import { without } from '../values/formatting.ts';
import { type Both, type ComparedPart, joined } from './comparedPart.ts';
import { compareSerialization, isCovered, mediaTypeKey } from './serialization.ts';

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
  const declareItems = [media.before, media.after].map((content) => content.declaresItems);
  const isRaw = wireOf(type) === 'json' && !isJson(type);
  const isBytes = isRaw && media.views('text').every(({ isFile }) => isFile);
  // The array of a sequence has the items that another version of OpenAPI declares by themselves.
  const isRenamed =
    isSequential(type) && declareItems.includes(true) && declareItems.includes(false);
  if (isRenamed) media.sequence();
  else if (!isBytes) media.schemas(wireOf(type), holders);
  if (declareItems.includes(true)) media.within('item').items();
  media.within('resource').patchedResource();
  const isForm = wireOf(type) === 'form';
  const keywords = [...DOCUMENTATION_KEYWORDS.mediaType, ...(isForm ? [] : ['encoding'])];
  media.documentation(keywords, isPatch(media) ? ['x-patch-of'] : []);
  if (isMultipart(type)) comparePositions(media);
  if (isForm) compareEncodings(media, type);
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

const ANY = '*/*';

/** Compares the encodings of the properties that both contracts declare. */
function compareEncodings(media: ComparedPart<Content>, type: string): void {
  const [was, is] = media.views('form');
  for (const name of was.propertyNames) {
    if (!is.propertyNames.includes(name)) continue;
    const before = media.before.encodingOf(name);
    const after = media.after.encodingOf(name);
    const encoding = media.within(`encoding ${name}`).with({ before, after });
    const properties = [was.property(name), is.property(name)] as const;
    if (isMultipart(type)) {
      compareContentTypes(encoding, ...properties);
      comparePartHeaders(encoding);
    }
    const written = {
      before: { in: 'query', serialization: before.styled },
      after: { in: 'query', serialization: after.styled },
    } as const;
    compareSerialization(encoding, written, properties);
  }
}

/** Compares the encodings of parts by position (OpenAPI 3.2). */
function comparePositions(media: ComparedPart<Content>): void {
  const { before, after, direction } = media;
  const [was, is] = media.views('form');
  const count = Math.max(before.prefixEncodings.length, after.prefixEncodings.length);
  const isOpen = [before, after].some(({ itemEncoding }) => itemEncoding !== undefined);
  for (let at = 0; at < count + (isOpen ? 1 : 0); at++) {
    const parts = [was, is].map((view) => new View(direction, itemOf(view, at), view.wire));
    const name = at < count ? `part ${at + 1}` : 'further parts';
    const encodings = { before: before.encodingAt(at), after: after.encodingAt(at) };
    const encoding = media.within(name).with(encodings);
    compareContentTypes(encoding, parts[0]!, parts[1]!);
    comparePartHeaders(encoding);
  }
}

function compareContentTypes(encoding: ComparedPart<Encoding>, was: View, is: View): void {
  const { before, after, direction } = encoding;
  const [old, now] = [contentTypesOf(before, was), contentTypesOf(after, is)];
  const lost = typesOrCharsets(old, now);
  const gained = typesOrCharsets(now, old);
  if (lost.length === 0 && gained.length === 0) return;
  const message = directedChange('encoding-changed', {
    direction,
    types: direction === 'request' ? lost : gained,
    was: before.field('contentType'),
    is: after.field('contentType'),
  });
  encoding.report(message, 'contentType');
}

/** @returns the media types that others do not cover, or only with another character encoding */
function typesOrCharsets(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((type) => {
    if (!isSent(type, others)) return true;
    const sameType = others.filter((other) => mediaTypeKey(other) === mediaTypeKey(type));
    return sameType.length > 0 && uncovered(charsetsOf([type]), charsetsOf(sameType)).length > 0;
  });
}

function contentTypesOf({ contentTypes }: Encoding, part: View): string[] {
  if (contentTypes.length === 0) return [defaultTypeOf(part)];
  return contentTypes.map((type) => type.toLowerCase());
}

/** OpenAPI 3.0.4, section 4.8.15.1.1. */
function defaultTypeOf(part: View): string {
  if (part.isFile) return String(part.all('contentMediaType')[0] ?? 'application/octet-stream');
  const types = [...part.types].filter((type) => type !== 'null');
  if (types.every((type) => type === 'object')) return 'application/json';
  if (types.every((type) => type === 'array')) {
    return defaultTypeOf(new View(part.direction, itemOf(part, 0), part.wire));
  }
  return types.includes('object') || types.includes('array') ? ANY : 'text/plain';
}

/** True for a type or a range that another contract declares, or that a range of it covers. */
function isSent(type: string, ranges: readonly string[]): boolean {
  return ranges.includes(type) || ranges.includes(ANY) || isCovered(type, ranges);
}

function comparePartHeaders(encoding: ComparedPart<Encoding>): void {
  const { direction } = encoding;
  const headers = joined(encoding.before.headers, encoding.after.headers);
  for (const { name, before, after } of headers) {
    const [was, is] = [before, after].map((each) => each?.isRequired === true);
    if (before !== undefined && after !== undefined && was === is) continue;
    const isStricter = direction === 'request' ? is && !was : was && !is;
    const presence =
      before === undefined ? 'was added' : is ? 'became required' : 'became optional';
    const change = after === undefined ? 'was removed' : presence;
    const isBreaking = after === undefined || isStricter === true;
    const message = directedChange('encoding-changed', { direction, change, isBreaking });
    encoding.within(`header ${name}`).report(message, 'headers');
  }
}

const DEFAULT = 'utf-8';
const ASCII = 'us-ascii';
const ALIASES: Readonly<Record<string, string>> = {
  utf8: DEFAULT,
  ascii: ASCII,
  latin1: 'iso-8859-1',
};
/** Encodings in which ASCII text has other bytes. */
const NOT_ASCII = /^(?:utf-?(?:16|32)|ucs-|ebcdic|cp037)/;

/** @param names media types with the same type in each contract */
function compareCharsets(
  content: ComparedPart<Content>,
  names: Readonly<Record<'before' | 'after', readonly string[]>>,
): void {
  const { direction } = content;
  const [was, is] = [charsetsOf(names.before), charsetsOf(names.after)];
  const [lost, gained] = [uncovered(was, is), uncovered(is, was)];
  if (lost.length === 0 && gained.length === 0) return;
  const charsets = direction === 'request' ? lost : gained;
  const facts = { direction, charsets, was: was.join(', '), is: is.join(', ') };
  content.report(directedChange('charset-changed', facts));
}

/** @returns the character encodings of the bytes of a media type; none for bytes without text */
function charsetsOf(names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const { type = '', charset } = parseMediaType(name) ?? {};
    const hasCharset = (type.startsWith('text/') && !isJson(type)) || isXml(type);
    if (!hasCharset) return [];
    const given = (charset ?? DEFAULT).toLowerCase();
    return [ALIASES[given] ?? given];
  });
  return [...new Set(found)];
}

/** @returns the encodings whose text the others may misread */
function uncovered(some: readonly string[], others: readonly string[]): string[] {
  const hasAscii = others.some((charset) => !NOT_ASCII.test(charset));
  return without(some, others).filter((charset) => charset !== ASCII || !hasAscii);
}
