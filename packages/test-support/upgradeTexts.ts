// Parts of contracts before and after an upgrade, as YAML.

export const ERROR = `
    Error: {type: object, required: [error, message], properties: {error: {type: integer}, message: {type: string}}}`;

const component = (name: string) => `{$ref: '#/components/schemas/${name}'}`;

/** A response whose body is a component. */
export const reply = (status: number | 'default', name: string) =>
  `${status}: {description: d, content: {application/json: {schema: ${component(name)}}}}`;

/** A required request body that is a component. */
export const body = (name: string) =>
  `requestBody: {required: true, content: {application/json: {schema: ${component(name)}}}}`;

/** A response with a list of components in a property. */
export const list = (property: string, name: string) =>
  `200: {description: d, content: {application/json: {schema: {type: object, required: [${property}], properties: {${property}: {type: array, items: ${component(name)}}}}}}}`;
