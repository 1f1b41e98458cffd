// Parts of multipart/form-data whose property has a style: the pairs of a query parameter, one per part.
import { malformedBody } from '../../errors/problem.ts';
import type { Serialization } from '../../operations/describedValues.ts';
import { type MediaContent, withObjects } from '../form.ts';
import { Pairs } from '../styles/pairs.ts';
import { BadText, type Pair } from '../styles/parameterText.ts';
import { bestReading, type Shape } from '../styles/shape.ts';

/**
 * @returns the style of a property; undefined for a file, and in OpenAPI 3.0, where only
 *   application/x-www-form-urlencoded has styles
 */
export function multipartStyleOf(
  { encodings, shape, validators }: Pick<MediaContent, 'encodings' | 'shape' | 'validators'>,
  name: string,
): Serialization | undefined {
  const styled = encodings.get(name)?.serialization;
  if (styled === undefined || !shape.names.has(name)) return undefined;
  if (validators.model.definition.isVersion30) return undefined;
  const property = shape.property(name);
  const { isBinary } = property.kind === 'array' ? property.items() : property;
  return isBinary ? undefined : styled;
}

interface StyledProperty extends Serialization {
  readonly name: string;
  readonly shape: Shape;
}

/** The properties of one form that have a style. */
export class StyledParts {
  readonly #properties: readonly StyledProperty[];

  constructor(content: MediaContent) {
    this.#properties = [...content.encodings.keys()].flatMap((name) => {
      const styled = multipartStyleOf(content, name);
      return styled === undefined ? [] : [{ ...styled, name, shape: content.shape.property(name) }];
    });
  }

  /** @param part the name of a part @returns true for a part of a property with a style */
  includes(part: string): boolean {
    return this.#properties.some(({ name, style, explode, shape }) => {
      if (style === 'deepObject') return part.startsWith(`${name}[`);
      const isExploded = style === 'form' && explode && shape.kind === 'object';
      return isExploded ? shape.names.has(part) : part === name;
    });
  }

  /**
   * @param parts the text of each part, percent-encoded
   * @returns the values by name of the property
   * @throws {Problem} 40004 for text that is invalid in its style
   */
  read(parts: readonly Pair[]): [name: string, value: unknown][] {
    // The names of parts are not percent-encoded.
    const pairs = new Pairs(parts.map(([name, text]) => [name.replaceAll('%', '%25'), text]));
    return this.#properties.flatMap(({ name, style, explode, shape }) => {
      const read = (shape: Shape) => {
        const value = pairs.read(name, style, shape, explode);
        return style === 'form' ? withObjects(value, shape) : value;
      };
      try {
        const value = read(bestReading(shape, read));
        return value === undefined ? [] : [[name, value]];
      } catch (error) {
        if (!(error instanceof BadText)) throw error;
        throw malformedBody(`form field ${name} ${error.message}`);
      }
    });
  }
}
