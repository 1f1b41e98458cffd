// Compares the `charset` of text media types. Without it, text is UTF-8.
import { type Content, isJson, isXml, parseMediaType } from '@stubwright/contract';
import { directedChange } from '../rules/rules.ts';
import { without } from '../values/formatting.ts';
import type { ComparedPart } from './comparedPart.ts';

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
export function compareCharsets(
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
export function charsetsOf(names: readonly string[]): string[] {
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
export function uncovered(some: readonly string[], others: readonly string[]): string[] {
  const hasAscii = others.some((each) => !NOT_ASCII.test(each));
  return without(some, others).filter((each) => each !== ASCII || !hasAscii);
}
