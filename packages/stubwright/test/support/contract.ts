// Contracts of tests, as an API takes them.
export { loadedContract } from '@stubwright/test-support/loadedContract';

/** @param properties as `code: integer, message: string` @param more of the schema, which ends with a comma */
export function objectSchema(properties: string, more = ''): string {
  const typed = properties.replaceAll(/(?<!\{type): (string|integer)\b/g, ': {type: $1}');
  return `{type: object, ${more} properties: {${typed}}}`;
}
