// How a parameter, a header or a part of a form is serialized (RFC 6570).

export interface Serialization {
  readonly style: string;
  readonly explode: boolean;
  /** True if reserved characters are not percent-encoded; only in paths, queries and cookies. */
  readonly allowReserved?: boolean;
}

/** The fields of a Parameter, Header or Encoding Object that determine its serialization. */
interface SerializationFields {
  readonly in?: unknown;
  readonly style?: unknown;
  readonly explode?: unknown;
  readonly allowReserved?: unknown;
}

/** @returns the serialization of a Parameter, Header or Encoding Object, with the defaults of OpenAPI 3.2.0 */
export function serializationOf(fields: SerializationFields): Serialization {
  const { in: where, style, explode, allowReserved } = fields;
  const usual = where === 'path' || where === 'header' ? 'simple' : 'form';
  const effective = String(style ?? usual);
  const isExploded = effective === 'form' || effective === 'cookie';
  return {
    style: effective,
    explode: typeof explode === 'boolean' ? explode : isExploded,
    allowReserved: allowReserved === true,
  };
}
