// Parameters in the query string as a whole, and parameters in it (OpenAPI 3.2).
import { isObject, type Node } from '@stubwright/contract';
import type { Visit } from '../walk.ts';
import type { ContractRule, RuleContext } from './rule.ts';

export const querystrings: ContractRule = {
  code: 'querystring',
  objects: { PathItem: check, Operation: check },
};

function check({ parameters }: Node, visit: Visit, context: RuleContext): void {
  if (!Array.isArray(parameters)) return;
  const list = context.property(visit, 'parameters');
  const places = parameters.map((_, at) => {
    const parameter = context.property(list, String(at))?.node;
    return isObject(parameter) ? parameter.in : undefined;
  });
  const first = places.indexOf('querystring');
  if (first < 0) return;
  const last = places.lastIndexOf('querystring');
  const warn = (what: string) => {
    const at = { keys: ['parameters', String(last)], isKey: true };
    context.reporter.warning(visit, `${what}  expected one of them`, at);
  };
  if (first !== last) warn('two parameters have in: querystring');
  if (places.includes('query')) warn('in: querystring and in: query exclude each other');
}
