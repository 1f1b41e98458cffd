// XML Objects: the fields of OpenAPI 3.2 in terms of the earlier ones.

/** OpenAPI 3.2.0, section 4.26. */
export interface XmlObject {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
  /** The value is text of the parent's element, as is or in a CDATA section. */
  readonly nodeType?: 'text' | 'cdata';
}

/**
 * @param xml as written
 * @param isArray true for the schema of an array
 * @returns `attribute` and `wrapped` in place of the equal `nodeType`
 */
export function xmlObject(
  { nodeType, ...xml }: Readonly<Record<string, unknown>>,
  isArray: boolean,
): XmlObject {
  switch (nodeType) {
    case undefined:
      return xml;
    case 'attribute':
      return { ...xml, attribute: true };
    case 'text':
    case 'cdata':
      return { ...xml, nodeType };
    default:
      return isArray ? { ...xml, wrapped: nodeType === 'element' } : xml;
  }
}
