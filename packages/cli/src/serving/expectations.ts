// Types that fail to compile for each converter that is missing, with a sentence that names it.
import {
  type ConverterPlan,
  type NeededFunction,
  neededFunctions,
  stepName,
} from './converterPlan.ts';

/** Of a sentence, in characters: the first line of the message has at most 200. */
const MAX_LENGTH = 140;

export function expectations(plan: ConverterPlan): string[] {
  const lines = neededFunctions(plan).map(expectation);
  if (lines.length === 0) return [];
  const comment = '/** A line for each converter: the compiler lists those that are missing. */';
  return [`${comment}\nexport type Missing = [\n${lines.join('')}];`];
}

function expectation({ path, keys, label, changes }: NeededFunction): string {
  const isStep = keys.length === 4;
  const given = keys.reduceRight((type, key, at) => {
    return `{ ${at % 2 === 0 ? key : JSON.stringify(key)}: ${type} }`;
  }, 'AnyConverter');
  const [first, ...others] = changes;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const because = isStep ? '' : `: ${stepName(first!)}${more}`;
  const text = `${label}: expected ${path}${because}`;
  const short = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
  return `  Expected<typeof converters extends ${given} ? true : ${JSON.stringify(short)}>,\n`;
}
