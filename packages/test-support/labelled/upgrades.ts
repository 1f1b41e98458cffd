// Labelled upgrades from OpenAPI 3.0 to 3.1.
// https://www.openapis.org/blog/2021/02/16/migrating-from-openapi-3-0-to-3-1-0
import { type ContractRow, contractOf } from './pair.ts';

const upload = (type: string, media: string) =>
  `paths: {/toys: {post: {operationId: postToys, requestBody: {content: {${type}: ${media}}}, responses: {"200": {description: a, content: {${type}: ${media}}}}}}}`;
const json = (schema: string, components = '') =>
  `${upload('application/json', `{schema: {type: object, properties: {a: ${schema}}}}`)}${components}`;

function row(
  what: string,
  before: string,
  after: string,
  labels: string,
  why: string,
): ContractRow {
  return [`upgrade: ${what}`, contractOf(before, '3.0.3'), contractOf(after, '3.1.0'), labels, why];
}

const PET = '\ncomponents: {schemas: {Pet: {type: object, properties: {b: {type: string}}}}}';

// biome-ignore format: a table
export const UPGRADE_ROWS: readonly ContractRow[] = [
  row('version only', json('{type: string}'), json('{type: string}'), 'CC', 'Requests and responses are the same.'),
  row('nullable as type list', json('{type: string, nullable: true}'), json("{type: [string, 'null']}"), 'CC', 'Both allow strings and null.'),
  row('nullable lost', json('{type: string, nullable: true}'), json('{type: string}'), 'BB', 'null is valid before only.'),
  row('nullable enum', json('{type: string, nullable: true, enum: [a, null]}'), json("{type: [string, 'null'], enum: [a, null]}"), 'CC', 'Both allow a and null.'),
  row('nullable reference', json("{nullable: true, allOf: [{$ref: '#/components/schemas/Pet'}]}", PET), json("{anyOf: [{$ref: '#/components/schemas/Pet'}, {type: 'null'}]}", PET), 'CC', 'Both allow a Pet and null.'),
  row('exclusiveMinimum', json('{type: integer, minimum: 7, exclusiveMinimum: true}'), json('{type: integer, exclusiveMinimum: 7}'), 'CC', 'The same bound.'),
  row('exclusiveMaximum', json('{type: number, maximum: 7, exclusiveMaximum: true}'), json('{type: number, exclusiveMaximum: 7}'), 'CC', 'The same bound.'),
  row('exclusiveMaximum lost', json('{type: number, maximum: 7, exclusiveMaximum: true}'), json('{type: number, maximum: 7}'), 'BB', '7 is valid after only.'),
  row('example as examples', json('{type: string, example: a}'), json('{type: string, examples: [a]}'), 'CC', 'Only documentation.'),
  row('format byte as contentEncoding', json('{type: string, format: byte}'), json('{type: string, contentEncoding: base64}'), 'CC', 'Both are base64.'),
  row('format base64 as contentEncoding', json('{type: string, format: base64}'), json('{type: string, contentEncoding: base64}'), 'CC', 'Both are base64.'),
  row('format byte lost', json('{type: string, format: byte}'), json('{type: string}'), 'BB', 'The same string decodes to other bytes.'),
  row('format byte as another encoding', json('{type: string, format: byte}'), json('{type: string, contentEncoding: base32}'), 'BB', 'The same string decodes to other bytes.'),
  row('binary body without schema', upload('application/octet-stream', '{schema: {type: string, format: binary}}'), upload('application/octet-stream', '{}'), 'CC', 'Both are any bytes.'),
  row('binary body with contentMediaType', upload('application/octet-stream', '{schema: {type: string, format: binary}}'), upload('application/octet-stream', '{schema: {type: string, contentMediaType: application/octet-stream}}'), 'CC', 'Both are any bytes.'),
  row('binary image without schema', upload('image/png', '{schema: {type: string, format: binary}}'), upload('image/png', '{}'), 'CC', 'Both are any bytes.'),
  row('image in base64', upload('image/png', '{schema: {type: string, format: base64}}'), upload('image/png', '{schema: {type: string, contentEncoding: base64}}'), 'CC', 'Both are base64.'),
  row('binary part', upload('multipart/form-data', '{schema: {type: object, properties: {id: {type: integer}, file: {type: string, format: binary}}}}'), upload('multipart/form-data', '{schema: {type: object, properties: {id: {type: integer}, file: {type: string, contentMediaType: application/octet-stream}}}}'), 'CC', 'Both are any bytes.'),
  row('binary part without schema', upload('multipart/form-data', '{schema: {type: object, properties: {file: {type: string, format: binary}}}}'), upload('multipart/form-data', '{schema: {type: object, properties: {file: {}}}}'), 'CC', 'In 3.1 an empty schema of a part is any bytes.'),
  row('sibling of a reference takes effect', json("{$ref: '#/components/schemas/Pet', minProperties: 1}", PET), json("{$ref: '#/components/schemas/Pet', minProperties: 1}", PET), 'BB', '3.0 ignores siblings of $ref: requests become stricter, and in the reverse responses wider.'),
  row('description beside a reference', json("{$ref: '#/components/schemas/Pet', description: d}", PET), json("{$ref: '#/components/schemas/Pet', description: d}", PET), 'CC', 'Only documentation.'),
  row('int64 kept', json('{type: integer, format: int64}'), json('{type: integer, format: int64}'), 'CC', 'The format has the same meaning.'),
];
