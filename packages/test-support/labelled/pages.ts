// Labelled changes of `x-pagination`: a generated client of the earlier contract reads pages as that one describes them.
import { type ContractRow, contractOf } from './pair.ts';

const query = (name: string) => `{name: ${name}, in: query, schema: {type: string}}`;
const texts = '{type: array, items: {type: string}}';
const BODY = `{type: object, required: [items, more], properties: {items: ${texts}, others: ${texts}, next: {type: string}, after: {type: string}, more: {type: boolean}}}`;

/** Neither its method nor its parameters are those of the usual names. */
const listed = (pagination: string, method = 'post') =>
  contractOf(
    `paths: {/toys: {${method}: {${pagination}parameters: [${['p', 'q', 'n'].map(query).join()}], responses: {'200': {description: ok, headers: {Link: {schema: {type: string}}}, content: {application/json: {schema: ${BODY}}}}}}}}`,
  );
const described = (fields: string) => listed(`x-pagination: {${fields}}, `);
const CURSOR = 'kind: cursor, parameter: p, items: /items, next: /next';
const PAGE = 'kind: page, parameter: p, items: /items';
const LINK = 'kind: link, items: /items';

// biome-ignore format: a table
export const PAGE_ROWS: readonly ContractRow[] = [
  ['pages described', listed(''), described(CURSOR), 'CB', 'Generated clients gain methods, or lose them.'],
  ['pages denied', described(CURSOR), listed('x-pagination: false, '), 'BC', 'Generated clients lose methods, or gain them.'],
  ['pages of the usual names denied', listed('', 'get'), listed('x-pagination: false, ', 'get'), 'BC', 'The property next is a usual name.'],
  ['pages of the usual names written out', listed('', 'get'), listed('x-pagination: {kind: link, items: /items, next: /next}, ', 'get'), 'CC', 'The same pages.'],
  ['pages by number instead of a cursor', described(CURSOR), described(PAGE), 'BB', 'The earlier client sends another value.'],
  ['pages at an offset instead of by number', described(PAGE), described(PAGE.replace('page', 'offset')), 'BB', 'The earlier client counts in another unit.'],
  ['cursor in another parameter', described(CURSOR), described(CURSOR.replace('parameter: p', 'parameter: q')), 'BB', 'The earlier client sends the other parameter.'],
  ['next cursor in another property', described(CURSOR), described(CURSOR.replace('/next', '/after')), 'BB', 'The earlier client reads the other property.'],
  ['items in another property', described(CURSOR), described(CURSOR.replace('/items', '/others')), 'BB', 'The earlier client reads the other property.'],
  ['size of pages described', described(CURSOR), described(`${CURSOR}, size: n`), 'CC', 'Clients do not read it.'],
  ['size of pages in another parameter', described(`${CURSOR}, size: q`), described(`${CURSOR}, size: n`), 'CC', 'Clients do not read it.'],
  ['last page described', described(PAGE), described(`${PAGE}, more: /more`), 'CB', 'Without it, the earlier client ends with an empty page.'],
  ['next page beside its number', described(PAGE), described(`${PAGE}, next: /next`), 'CC', 'Clients count pages.'],
  ['parameter in the URL of a link', described(LINK), described(`${LINK}, parameter: p`), 'CC', 'Clients follow the URL.'],
  ['link in the body instead of the header', described(LINK), described(`${LINK}, next: /next`), 'BB', 'The earlier client reads the other one.'],
  ['fields of the description in another order', described(CURSOR), described('next: /next, items: /items, parameter: p, kind: cursor'), 'CC', 'The same pages.'],
];
