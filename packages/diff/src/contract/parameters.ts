// Compares the parameters of one operation.
import { type Parameter, templateNames } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change } from '../rules/rules.ts';
import { announcedRemoval, announcementOf } from '../rules/sunset.ts';
import { lengthOf } from '../schema/lengths.ts';
import { itemOf } from '../schema/memberTerms.ts';
import type { ComparedPart } from './comparedPart.ts';
import { compareContents } from './content.ts';
import { compareRegrouped, type ParametersByKey } from './queryFields.ts';
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
