// The operations and directions that an upgrade breaks, and those that converters are for: they are the same.
import type { Contract, Operation } from '@stubwright/contract';
import { changesBetween } from '@stubwright/diff';
import { operationPairs } from '@stubwright/versions';
import type { ConverterPlan } from '../../src/serving/converterPlan.ts';

/** What no converter undoes: docs/decisions/served-versions.md. */
const WITHOUT_CONVERTER =
  /^(?:operation-id-|security-|server-|webhook-|pagination-removed|(?:request-|response-)?sunset-earlier|request-default-changed)/;

/** @returns `POST /toys request`, one for each operation and direction that a change breaks */
export function brokenBy(older: Contract, newer: Contract): Set<string> {
  const changes = changesBetween({ definition: older }, { definition: newer });
  const pairs = operationPairs(older, newer);
  // A version calls an operation that moved by its operationId.
  const moved = new Set(
    older.operations.filter((each) => pairs.has(each.operationId)).map((each) => titleOf(each)),
  );
  const breaking = changes.filter(
    ({ severity, rule }) => severity === 'breaking' && !WITHOUT_CONVERTER.test(rule),
  );
  return new Set(
    breaking.flatMap(({ rule, operations }) => {
      const direction = rule.startsWith('response-') ? 'reply' : 'request';
      return operations
        .filter((title) => /^[A-Z]+ \/\S*$/.test(title))
        .flatMap((title) => {
          if (!/^operation-(?:removed|moved)$/.test(rule)) return [`${title} ${direction}`];
          return moved.has(title) ? [] : [title];
        });
    }),
  );
}

function titleOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

export function convertedBy(plan: ConverterPlan, older: Contract, newer: Contract): Set<string> {
  const pairs = operationPairs(older, newer);
  const titles = new Map([
    ...older.operations.map(
      (each) => [each.operationId, titleOf(pairs.get(each.operationId) ?? each)] as const,
    ),
  ]);
  return new Set(
    plan.converters.flatMap(({ member, operations, isOptional }) =>
      (isOptional ? [] : operations).map((id) => {
        if (member === 'call') return titles.get(id)!;
        const isRequest = member === 'toNew' || member === 'request';
        return `${titles.get(id)} ${isRequest ? 'request' : 'reply'}`;
      }),
    ),
  );
}
