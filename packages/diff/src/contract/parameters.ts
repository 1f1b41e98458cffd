// Compares the parameters of one operation, also those that one contract declares as the properties of an object.
import { type Parameter, templateNames } from '@stubwright/contract';
import { change } from '../rules/rules.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { announcedRemoval, announcementOf } from '../rules/sunset.ts';
import { lengthOf } from '../schema/lengths.ts';
import { isClosed, itemOf } from '../schema/memberTerms.ts';
import { allOf, type Term, termOf } from '../schema/term.ts';
import { isAnnotation } from '../schema/trivial.ts';
import { View } from '../schema/view.ts';
import type { Both, ComparedPart } from './comparedPart.ts';
import { compareContents } from './content.ts';
import { compareAcrossContent, compareAsText, compareText, isSingleItem } from './serialization.ts';

/** An operation or webhook with its parameters. */
interface ParameterHolder {
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

export function compareParameters(
  operation: ComparedPart,
  was: ParameterHolder,
  is: ParameterHolder,
): void {
  const { direction } = operation;
  const [old, now] = [byKey(was), byKey(is)];
  compareRegrouped(operation, old, now);
  for (const [key, before] of old) {
    const after = now.get(key);
    const parameter = operation.within(before.title);
    if (after !== undefined) {
      comparePlace(parameter.with({ before, after }), was.path);
      compareParameter(parameter.with({ before, after }));
    } else {
      const announced = announcedRemoval(announcementOf(before));
      const facts = { direction, in: before.in, isRequired: before.isRequired, announced };
      parameter.report(change('parameter-removed', facts), 'parameters', { before });
    }
  }
  for (const [key, after] of now) {
    if (old.has(key)) continue;
    const kind = after.field('required') === true ? 'required' : 'optional';
    const message = change(`${kind}-parameter-added`, { direction });
    operation.within(after.title).report(message, 'parameters', { after });
  }
}

/** Keys parameters by location and name; path parameters by position, since names are not sent. */
function byKey({ path, parameters }: ParameterHolder): ParametersByKey {
  const names = templateNames(path);
  const keyOf = ({ in: where, name }: Parameter) => {
    if (where === 'path') return `path ${names.indexOf(name)}`;
    return `${where} ${where === 'header' ? String(name).toLowerCase() : name}`;
  };
  const declared = parameters.filter((parameter) => !parameter.isReserved);
  return new Map(declared.map((parameter) => [keyOf(parameter), parameter]));
}

/** @param path the older template: a place that takes the name of another place has another meaning */
function comparePlace(parameter: ComparedPart<Parameter>, path: string): void {
  const { before, after } = parameter;
  if (before.in !== 'path' || before.name === after.name) return;
  const isMoved = templateNames(path).includes(after.name);
  const message = change('path-parameter-renamed', { was: before.name, is: after.name, isMoved });
  parameter.report(message, 'name');
}

function compareParameter(parameter: ComparedPart<Parameter>): void {
  if (parameter.isUnchanged) return;
  const { before, after, direction } = parameter;
  const factsOf = (keyword: string) => ({ was: before.field(keyword), is: after.field(keyword) });
  if (before.isRequired !== after.isRequired) {
    const kind = after.isRequired ? 'required' : 'optional';
    const facts = { ...factsOf('required'), direction };
    parameter.report(change(`parameter-became-${kind}`, facts), 'required');
  }
  const hasOtherText = compareText(parameter);
  if (before.allowsEmpty !== after.allowsEmpty) {
    const kind = after.allowsEmpty ? 'set' : 'removed';
    const message = change(`allow-empty-value-${kind}`, factsOf('allowEmptyValue'));
    parameter.report(message, 'allowEmptyValue');
  }
  if (hasOtherText || !compareAcrossContent(parameter)) {
    if (hasOtherText) parameter.schemas('form', undefined);
    else if (!compareAsText(parameter)) compareSchemas(parameter);
    compareContents(parameter);
  }
  parameter.documentation(DOCUMENTATION_KEYWORDS.parameter);
}

/** In a request, the text of a scalar may be an array of one item. */
function compareSchemas(parameter: ComparedPart<Parameter>): void {
  const { before, after } = parameter;
  const [was, is] = parameter.views('form');
  const isArray = !was.has('array', 'object') && [...is.types].every((type) => type === 'array');
  const isWidened =
    parameter.direction === 'request' &&
    isArray &&
    is.types.size > 0 &&
    lengthOf(is, 'minItems').effective < 2 &&
    isSingleItem(was, after.serialization);
  if (!isWidened) {
    const holders = {
      before: { name: before.name, value: before },
      after: { name: after.name, value: after },
    };
    // The styles escape the exponent of a large number differently.
    const isOtherStyle = before.serialization.style !== after.serialization.style;
    parameter.schemas('form', isOtherStyle && before.in === 'cookie' ? undefined : holders);
    return;
  }
  const at = { before: { pointer: was.at('type') }, after: { pointer: is.at('type') } };
  parameter.report(change('parameter-became-array'), '', at);
  parameter.terms(was.term, itemOf(is, 0), 'text');
}

/** The parameters of an operation by location and name. */
export type ParametersByKey = Map<string, Parameter>;

/** A name in the query with the schema of its value. */
interface QueryField {
  readonly isRequired: boolean;
  readonly term: Term;
}

/** The fields of an object, whose text in the query is `a=1&b=2`, or `filter[a]=1&filter[b]=2`. */
interface QueryFields {
  readonly fields: ReadonlyMap<string, QueryField>;
  /** True if the query has no other names. */
  readonly isClosed: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
/** The keywords that the fields of an object have by themselves. */
const DIVISIBLE = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** Compares the objects of one contract with the parameters of the other, and removes these from both. */
function compareRegrouped(
  operation: ComparedPart,
  old: ParametersByKey,
  now: ParametersByKey,
): void {
  regroup(operation, old, now, { isDivided: true });
  regroup(operation, now, old, { isDivided: false });
}

/** @param facts `isDivided` if the older contract has the objects */
function regroup(
  operation: ComparedPart,
  own: ParametersByKey,
  others: ParametersByKey,
  facts: { readonly isDivided: boolean },
): void {
  const { isDivided } = facts;
  for (const [key, holder] of own) {
    const found = others.has(key) ? undefined : queryFieldsOf(holder);
    if (found === undefined || !isDividedIn(found, others)) continue;
    if (isDivided && !found.isClosed) continue;
    own.delete(key);
    const entry = isDivided ? { before: holder } : { after: holder };
    const message = change('query-parameters-regrouped', facts);
    operation.within(holder.title).report(message, 'parameters', entry);
    for (const [name, field] of found.fields) {
      const other = taken(others, name);
      const [before, after] = isDivided ? [field, other] : [other, field];
      compareField(operation, name, { holder, before, after });
    }
  }
}

/** @returns undefined for a parameter whose text is not that of single parameters */
function queryFieldsOf(parameter: Parameter): QueryFields | undefined {
  const { style } = parameter.serialization;
  const isDeep = style === 'deepObject' && parameter.content === undefined;
  if (!isDeep && !isForm(parameter)) return undefined;
  const { valueSchema, pointer } = parameter;
  const view = new View('request', termOf(valueSchema, pointer), 'form');
  const isDivisible = view.conjuncts.every(({ schema }) =>
    Object.keys(schema.keywords).every((name) => DIVISIBLE.has(name) || isAnnotation(name)),
  );
  const names = view.propertyNames;
  if (!isDivisible || view.types.size !== 1 || !view.has('object') || names.length === 0) {
    return undefined;
  }
  if (names.some((name) => view.property(name).has('array', 'object'))) return undefined;
  // A query without a name is refused.
  if (parameter.isRequired && view.required.length === 0) return undefined;
  const fields = names.map((name): [string, QueryField] => {
    const isRequired = parameter.isRequired && view.required.includes(name);
    const key = isDeep ? `${parameter.name}[${name}]` : name;
    return [key, { isRequired, term: allOf(view.properties(name), pointer) }];
  });
  return { fields: new Map(fields), isClosed: isClosed(view) };
}

/** True for the style `form` with `explode`, and for a whole query that is a form. */
function isForm({ in: where, content, serialization: { style, explode } }: Parameter): boolean {
  if (where === 'querystring') return content?.key === FORM;
  return where === 'query' && content === undefined && style === 'form' && explode;
}

function isDividedIn({ fields }: QueryFields, others: ParametersByKey): boolean {
  const single = [...fields.keys()].flatMap((name) => others.get(keyOf(name)) ?? []);
  return single.length > 0 && single.every(({ content }) => content === undefined);
}

function keyOf(name: string): string {
  return `query ${name}`;
}

function taken(parameters: ParametersByKey, name: string): QueryField | undefined {
  const found = parameters.get(keyOf(name));
  if (found === undefined) return undefined;
  parameters.delete(keyOf(name));
  const { isRequired, valueSchema, pointer } = found;
  return { isRequired, term: termOf(valueSchema, pointer) };
}

/** The parameter `holder` has the object as its value. */
type FieldChange = Both<QueryField | undefined> & { readonly holder: Parameter };

function compareField(
  operation: ComparedPart,
  name: string,
  { holder, before, after }: FieldChange,
): void {
  const { direction } = operation;
  const field = operation.within(`query parameter ${name}`);
  const at = {
    before: before && { pointer: before.term.at },
    after: after && { pointer: after.term.at },
  };
  if (before === undefined || after === undefined) {
    const { isRequired } = before ?? after!;
    const facts = { direction, in: holder.in, isRequired, announced: undefined };
    const kind = isRequired ? 'required' : 'optional';
    const message =
      after === undefined
        ? change('parameter-removed', facts)
        : change(`${kind}-parameter-added`, { direction });
    field.report(message, 'parameters', at);
    return;
  }
  if (before.isRequired !== after.isRequired) {
    const kind = after.isRequired ? 'required' : 'optional';
    const facts = { was: before.isRequired, is: after.isRequired, direction };
    field.report(change(`parameter-became-${kind}`, facts), 'parameters', at);
  }
  field.terms(before.term, after.term, 'form');
}
