// Writes src/versions/<version>.ts, the converters of an application, with the steps that are left to do.

import { dirname } from 'node:path';
import { relative } from 'node:path/posix';
import { commentOf, literal } from '../project/names.ts';
import { keyOfMember, stepsOf } from './conversions.ts';
import { stepName } from './converterDeclarations.ts';
import type { NeededConverter } from './converterEntries.ts';
import { labelOf } from './converterNames.ts';
import type { ConverterPlan } from './converterPlan.ts';
import { VERSIONS } from './versionTypes.ts';

interface SkeletonOptions {
  readonly version: string;
  /** The path of the file, relative to the project. */
  readonly converters: string;
}

/** @returns a module without converters: the compiler lists those that are missing */
export function skeleton(plan: ConverterPlan, { version, converters }: SkeletonOptions): string {
  const types = relative(dirname(converters), `${VERSIONS}/${version}.ts`);
  const todo = [
    ...plan.schemas.flatMap((each) => linesOf('schemas', each)),
    ...plan.operations.flatMap((each) => linesOf('operations', each)),
    ...plan.webhooks.flatMap((each) => linesOf('webhooks', each)),
  ];
  const list = todo.length === 0 ? [] : ['// To do, as the compiler lists it:', ...todo];
  return `// The converters between version ${version} and the next one.
import type { Converters } from '${types.startsWith('.') ? types : `./${types}`}';

${list.map((each) => `${each}\n`).join('')}export const converters = {${emptyMaps(plan)}} satisfies Converters;
`;
}

function emptyMaps({ schemas, operations, webhooks }: ConverterPlan): string {
  const maps = [
    ...(schemas.length > 0 ? ['schemas: {}'] : []),
    ...(operations.length > 0 ? ['operations: {}'] : []),
    ...(webhooks.length > 0 ? ['webhooks: {}'] : []),
  ];
  return maps.length === 0 ? '' : ` ${maps.join(', ')} `;
}

function linesOf(group: string, converter: NeededConverter): string[] {
  const { name, member, changes } = converter;
  return changes.map((each) => {
    const called = each.isConstraint
      ? `${stepsOf(member)}[${literal(stepName(each))}]`
      : keyOfMember(member);
    return commentOf(`// - ${group}.${name}.${called}, ${labelOf(converter)}: ${stepName(each)}`);
  });
}
