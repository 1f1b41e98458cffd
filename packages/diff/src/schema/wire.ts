// The serialization of a value, which decides whether 1 and "1" differ.

/**
 * - `json`: types are distinguished.
 * - `text`: a scalar, or an array of scalars, as text; the properties of an object are JSON.
 * - `form`: a parameter or form; properties and items are `text`.
 * - `xml`: every scalar is text.
 */
export type Wire = 'json' | 'text' | 'form' | 'xml';

export function isTextual(wire: Wire): boolean {
  return wire !== 'json';
}

export function wireOfProperty(wire: Wire): Wire {
  if (wire === 'form') return 'text';
  return wire === 'text' ? 'json' : wire;
}

export function wireOfItem(wire: Wire): Wire {
  return wire === 'form' ? 'text' : wire;
}
