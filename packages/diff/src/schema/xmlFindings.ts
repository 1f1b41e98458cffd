// Compares the `xml` keyword by the XML that it describes.
import { escapeToken, type Schema } from '@stubwright/contract';
import { xmlObject } from '@stubwright/contract/values';
import { canonical } from '../values/formatting.ts';
import { documentationFinding, findingOf, type SchemaFinding } from './schemaFinding.ts';
import type { View } from './view.ts';

/** Only XML has the names, namespaces and attributes of the `xml` keyword. */
export function xmlFindings(before: View, after: View): SchemaFinding[] {
  const [was, is] = [before.all('xml'), after.all('xml')];
  if (canonical(was) === canonical(is)) return [];
  const at = { before: before.at('xml'), after: after.at('xml') };
  const areSame = canonical(xmlOf(before)) === canonical(xmlOf(after));
  if (before.wire !== 'xml' || areSame) return [documentationFinding('xml', at)];
  return [findingOf('xml-changed', { was: was[0], is: is[0] }, at)];
}

/** `nodeType` has the effect of `attribute` and `wrapped`, and parsers return CDATA as text. */
function xmlOf(view: View): object {
  const written = view.conjuncts.map(({ schema }) => withoutDefaultName(schema));
  const isArray = view.has('array');
  const { attribute, wrapped, nodeType, name, ...names } = xmlObject(
    Object.assign({}, ...written),
    isArray,
  );
  // `wrapped` is defined for arrays only. Without it, the name of the items is that of the elements.
  const [isAttribute, isWrapped] = [attribute === true, wrapped === true && isArray];
  const isUnnamed = isArray && !isWrapped && hasNamedItems(view);
  const own = { ...names, isAttribute, isWrapped, isText: nodeType !== undefined };
  return isUnnamed ? own : { ...own, name };
}

function hasNamedItems({ conjuncts }: View): boolean {
  return conjuncts.some(({ schema }) => {
    return Object(schema.child('items')?.keywords['xml']).name !== undefined;
  });
}

/** A property has its own name as the default. */
function withoutDefaultName({ keywords, pointer }: Schema): object {
  const { name, ...others } = Object(keywords['xml']);
  const isDefault = pointer.endsWith(`/properties/${escapeToken(String(name))}`);
  return isDefault || name === undefined ? others : { name, ...others };
}
