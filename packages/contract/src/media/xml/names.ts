// XML names by the XML Objects of a schema (OpenAPI 3.0.4 and 3.1.1).
import { memo } from '../../document/memo.ts';
import type { Shape } from '../styles/shape.ts';

/** Names of elements and attributes -> property. */
interface PropertyNames {
  /** By name without prefix. */
  readonly elements: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, string>;
  /** The property that is the text of the element. */
  readonly text: string | undefined;
}

const known = new WeakMap<Shape, PropertyNames>();

/** @returns the names of the declared properties; the first property of a name takes precedence */
export function propertyNames(shape: Shape): PropertyNames {
  return memo(known, shape, () => compile(shape));
}

/** @returns the element name of a property */
export function elementName(property: string, shape: Shape): string {
  return shape.xml.name ?? property;
}

/** @returns the element name of an item; by default that of the array */
export function itemName(array: string, shape: Shape): string {
  return shape.items().xml.name ?? array;
}

/** True if the shape allows the kind. */
export function allows({ readings }: Shape, kind: Shape['kind']): boolean {
  return readings.some((reading) => reading.kind === kind);
}

/** True for an array with a wrapper element. */
export function isWrapped(shape: Shape): boolean {
  return shape.xml.wrapped === true;
}

/** True for a value that is text of the parent's element. */
export function isText(shape: Shape): boolean {
  return shape.xml.nodeType !== undefined;
}

function compile(shape: Shape): PropertyNames {
  const elements = new Map<string, string>();
  const attributes = new Map<string, string>();
  let text: string | undefined;
  const add = (names: Map<string, string>, name: string, property: string) => {
    if (!names.has(name)) names.set(name, property);
  };
  for (const property of shape.names) {
    const own = shape.property(property);
    if (isText(own)) {
      text ??= property;
      continue;
    }
    if (own.xml.attribute === true) {
      add(attributes, elementName(property, own), property);
      continue;
    }
    const isUnwrappedArray = allows(own, 'array') && !isWrapped(own);
    if (isUnwrappedArray) add(elements, itemName(property, own), property);
    // Without a wrapper the name of the array is ignored.
    if (!isUnwrappedArray || own.readings.length > 1) {
      add(elements, elementName(property, own), property);
    }
  }
  return { elements, attributes, text };
}
