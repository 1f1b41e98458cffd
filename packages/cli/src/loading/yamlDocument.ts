// YAML as the package `yaml` reads it, with exact integers.
import { type Document, type LineCounter, parseDocument } from 'yaml';
import { exactInteger } from './yamlScalars.ts';

export function yamlDocument(text: string, lineCounter?: LineCounter): Document {
  return parseDocument(text, {
    intAsBigInt: true,
    ...(lineCounter && { lineCounter }),
    merge: true,
    prettyErrors: false,
    uniqueKeys: false,
  });
}

export function yamlValue(document: Document): unknown {
  return document.toJS({ reviver: (_key, value) => exactInteger(value), maxAliasCount: -1 });
}
