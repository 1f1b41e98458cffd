// Writes src/versions/<version>.ts, the converters of an application, with the steps that are left to do.

import { dirname } from 'node:path';
import { relative } from 'node:path/posix';
import { commentOf, literal } from '../project/names.ts';
import { stepsOf } from './conversions.ts';
import type { NeededConverter } from './converterEntries.ts';
import { labelOf } from './converterNames.ts';
import { type ConverterPlan, flatMapConverters, GROUPS, stepName } from './converterPlan.ts';
import { VERSIONS } from './versionTypes.ts';

interface SkeletonOptions {
  readonly version: string;
  readonly converters: string;
}

/** @returns a module without converters: the compiler lists those that are missing */
export function skeleton(plan: ConverterPlan, { version, converters }: SkeletonOptions): string {
  const types = relative(dirname(converters), `${VERSIONS}/${version}.ts`);
  const todo = flatMapConverters(plan, linesOf);
  const list = todo.length === 0 ? [] : ['// To do, as the compiler lists it:', ...todo];
  return `// The converters between version ${version} and the next one.
import type { Converters } from '${types.startsWith('.') ? types : `./${types}`}';

${list.map((each) => `${each}\n`).join('')}export const converters = {${emptyMaps(plan)}} satisfies Converters;
`;
}

function emptyMaps(plan: ConverterPlan): string {
  const maps = GROUPS.filter((each) => plan[each].length > 0).map((each) => `${each}: {}`);
  return maps.length === 0 ? '' : ` ${maps.join(', ')} `;
}

function linesOf(converter: NeededConverter, group: string): string[] {
  const { name, member, changes } = converter;
  return changes.map((each) => {
    const called = each.isConstraint ? `${stepsOf(member)}[${literal(stepName(each))}]` : member;
    return commentOf(`// - ${group}.${name}.${called}, ${labelOf(converter)}: ${stepName(each)}`);
  });
}
