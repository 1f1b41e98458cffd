// Parts of contracts before and after an upgrade, as YAML.

export const INT64_ID =
  '{name: id, in: path, required: true, schema: {type: integer, format: int64}}';

/** A parameter more, in a list of parameters. */
export const LOCALE = ', {name: locale, in: query, required: true, schema: {type: string}}';

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

/** A response with one integer. */
export const integer = (status: number, property: string) =>
  `${status}: {description: d, content: {application/json: {schema: {type: object, required: [${property}], properties: {${property}: {type: integer}}}}}}`;

/** A response of lines, each of one of the kinds. */
export const lines = (kinds: string) =>
  `200: {description: d, content: {application/jsonl: {schema: {type: array, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [${kinds}]}}}}}}}`;

/** The operation that replaces the removal of an item by a property. */
export const softDelete = (operationId: string, name: string) => `
    patch:
      operationId: ${operationId}
      parameters: [${INT64_ID}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {isDeleted: {type: boolean}}}}}}
      responses:
        ${reply(200, name)}
        ${reply(404, 'Error')}`;

export const hardDelete = (operationId: string) => `
    delete:
      operationId: ${operationId}
      parameters: [${INT64_ID}]
      responses:
        204: {description: d}
        ${reply(404, 'Error')}`;

/** What differs between the versions of a contract, as YAML, for any resource, such as `Book`. */
export const olderParts = (name: string) => ({
  version: '1.4.0',
  limit: '100',
  note: '100',
  refusals: '',
  locale: '',
  removal: hardDelete(`delete${name}`),
  count: integer(200, 'count'),
  kinds: 'created, deleted',
});

export const newerParts = (name: string): ReturnType<typeof olderParts> => ({
  version: '2.0.0',
  limit: '50',
  note: '50',
  refusals: `\n        ${reply(410, 'Error')}`,
  locale: LOCALE,
  removal: softDelete(`update${name}`, name),
  count: integer(201, 'total'),
  kinds: 'created, changed, deleted',
});
