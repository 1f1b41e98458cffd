// Parameters that a list declares twice: equal ones are ignored, different ones are an error.
import { isDeepStrictEqual } from 'node:util';
import type { Node } from '@stubwright/contract';
import type { Visit } from '../walk.ts';
import type { ContractRule, RuleContext } from './rule.ts';

export const parametersTwice: ContractRule = {
  code: 'parameter-twice',
  objects: {
    Root(_node, _visit, context) {
      for (const item of context.paths.flatMap(({ items }) => items)) {
        for (const { visit } of context.operationsOf(item)) check(visit, context);
        check(item, context);
      }
    },
  },
};

function check(holder: Visit, context: RuleContext): void {
  const seen = new Map<string, unknown>();
  for (const each of context.list(holder, 'parameters')) {
    const { name, in: location } = each.node as Node;
    const key = `${location} ${name}`;
    if (!seen.has(key)) {
      seen.set(key, each.node);
      continue;
    }
    const message = `the ${location} parameter ${name} is declared twice  expected each parameter once`;
    if (isDeepStrictEqual(seen.get(key), each.node)) context.reporter.warning(each, message);
    else context.reporter.error(each, message);
  }
}
