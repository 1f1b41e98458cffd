// Labelled changes of conditional requests and of patches.
import { type ContractRow, contractOf } from './pair.ts';

const ETAG = 'ETag: {schema: {type: string}}';
const condition = (name: string, more = '') =>
  `{name: ${name}, in: header, schema: {type: string}${more}}`;
const TOY =
  '{type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}';

/** A read with these headers of its response, and these parameters. */
const read = (headers: string, parameters = '', more = '') =>
  contractOf(
    `paths: {/toys/1: {get: {parameters: [${parameters}], responses: {'200': {description: ok, headers: {${headers}}, content: {application/json: {schema: ${TOY}}}}${more}}}}}`,
  );
/** A write with these parameters, and this content of its body. */
const change = (
  parameters: string,
  type = 'application/merge-patch+json',
  schema = TOY.replace('required: [name], ', ''),
) =>
  contractOf(
    `paths: {/toys/1: {patch: {parameters: [${parameters}], requestBody: {required: true, content: {${type}: {schema: ${schema}}}}, responses: {'204': {description: ok}, default: {description: error}}}}}`,
  );

// biome-ignore format: a table
export const CONDITION_ROWS: readonly ContractRow[] = [
  ['entity tag of a response', read(''), read(ETAG), 'CB', 'Clients that keep the tag for If-Match receive none.'],
  ['condition of a read', read(ETAG), read(ETAG, condition('If-None-Match')), 'CR', 'A removed optional parameter is ignored: clients get 200.'],
  ['condition of a write that may be sent', change(''), change(condition('If-Match')), 'CR', 'A removed one is ignored: updates are lost.'],
  ['condition of a write that must be sent', change(''), change(condition('If-Match', ', required: true')), 'BB', 'Clients without it are refused; one that the service ignores loses updates.'],
  ['condition that becomes required', change(condition('If-Match')), change(condition('If-Match', ', required: true')), 'BC', 'Clients without it are refused.'],
  ['another condition of a write', change(condition('If-Match', ', required: true')), change(condition('If-Unmodified-Since', ', required: true')), 'BB', 'Clients send the former one.'],
  ['merge patch becomes JSON patch', change(''), change('', 'application/json-patch+json', '{type: array, items: {type: object}}'), 'BB', 'Clients send the former media type.'],
  ['JSON in place of a merge patch', change(''), change('', 'application/json'), 'BB', 'Clients send the former media type.'],
  ['property of a patch', change(''), change('', 'application/merge-patch+json', '{type: object, properties: {name: {type: string}, size: {type: integer}, tag: {type: string, enum: [a, b]}}}'), 'CR', 'An added one is announced; a removed one is ignored.'],
];
