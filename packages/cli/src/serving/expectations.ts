// Types that fail to compile for each converter that is missing, with a sentence that names it.
import { keyOfMember, stepsOf } from './conversions.ts';
import { stepName } from './converterDeclarations.ts';
import type { ConvertedChange, NeededConverter } from './converterEntries.ts';
import { labelOf } from './converterNames.ts';
import { type ConverterPlan, flatMapConverters } from './converterPlan.ts';

/** Of a sentence, in characters: the first line of the message has at most 200. */
const MAX_LENGTH = 140;

export function expectations(plan: ConverterPlan): string[] {
  const lines = flatMapConverters(plan, expected);
  if (lines.length === 0) return [];
  const comment = '/** A line for each converter: the compiler lists those that are missing. */';
  return [`${comment}\nexport type Missing = [\n${lines.join('')}];`];
}

function expected(converter: NeededConverter, group: string): string[] {
  const { name, member, changes } = converter;
  const own = keyOfMember(member);
  const key = JSON.stringify(name);
  const label = labelOf(converter);
  const where = `${group}${access(name)}`;
  const typed = changes.filter(({ isConstraint }) => !isConstraint);
  const steps = changes.filter(({ isConstraint }) => isConstraint);
  const givenOwn = `{ ${group}: { ${key}: { ${own}: AnyConverter } } }`;
  return [
    ...(typed.length === 0
      ? []
      : [expectation(givenOwn, `${label}: expected ${where}.${own}${because(typed)}`)]),
    ...steps.map((each) => {
      const step = stepName(each);
      const given = `{ ${group}: { ${key}: { ${stepsOf(member)}: { ${JSON.stringify(step)}: AnyConverter } } } }`;
      return expectation(given, `${label}: expected ${where}.${stepsOf(member)}['${step}']`);
    }),
  ];
}

function expectation(given: string, text: string): string {
  const short = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
  const message = JSON.stringify(short);
  return `  Expected<typeof converters extends ${given} ? true : ${message}>,\n`;
}

function because([first, ...others]: readonly ConvertedChange[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `: ${stepName(first!)}${more}`;
}

function access(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `['${name}']`;
}
