// Names in XML by the XML Objects of a schema (OpenAPI 3.0.4 and 3.1.1).
import type { Shape } from '../parameters/shape.ts';

/** The names under which the properties of an object stand in XML -> the property. */
export interface PropertyNames {
  /** Without prefix. */
  readonly elements: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, string>;
}

const known = new WeakMap<Shape, PropertyNames>();

/** @returns the names of an object's declared properties; of two with one name the first */
export function propertyNames(shape: Shape): PropertyNames {
  const names = known.get(shape) ?? compile(shape);
  known.set(shape, names);
  return names;
}

/** The element of a property, or of the items of one that is an array without a wrapper. */
export function elementName(property: string, shape: Shape): string {
  return shape.xml.name ?? property;
}

/** The element of an item; by default it has the name of the array's own element. */
export function itemName(array: string, shape: Shape): string {
  return shape.items().xml.name ?? array;
}

/** True where a value may be of the kind. */
export function allows({ readings }: Shape, kind: Shape['kind']): boolean {
  return readings.some((each) => each.kind === kind);
}

/** True for an array whose items stand in an element of the array's own. */
export function isWrapped(shape: Shape): boolean {
  return shape.xml.wrapped === true;
}

function compile(shape: Shape): PropertyNames {
  const elements = new Map<string, string>();
  const attributes = new Map<string, string>();
  const add = (names: Map<string, string>, name: string, property: string) => {
    if (!names.has(name)) names.set(name, property);
  };
  for (const property of shape.names) {
    const own = shape.property(property);
    if (own.xml.attribute === true) {
      add(attributes, elementName(property, own), property);
      continue;
    }
    const isUnwrappedArray = allows(own, 'array') && !isWrapped(own);
    if (isUnwrappedArray) add(elements, itemName(property, own), property);
    // The name of an array has no effect without a wrapper.
    if (!isUnwrappedArray || own.readings.length > 1) {
      add(elements, elementName(property, own), property);
    }
  }
  return { elements, attributes };
}
