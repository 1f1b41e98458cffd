// Operations: their ids, parameters that a list repeats or excludes, and security requirements.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Node } from '@stubwright/contract';
import type { Visit } from '../walk.ts';
import type { ContractRule, RuleContext } from './rule.ts';

export const operationIds: ContractRule = {
  code: 'operation-id',
  objects: {
    Root(_node, _visit, context) {
      const routes = new Map<string, string>();
      for (const { path, items } of context.paths) {
        for (const { method, visit } of items.flatMap((item) => context.operationsOf(item))) {
          const id: unknown = visit.node.operationId;
          if (typeof id !== 'string' || id === '') continue;
          const first = routes.get(id);
          if (first !== undefined) {
            const message = `operationId ${id} belongs to ${first} already  expected an operationId of its own`;
            context.reporter.error(visit, message, { keys: ['operationId'], isMockable: true });
          } else routes.set(id, `${method.toUpperCase()} ${path}`);
        }
      }
    },
  },
};

export const parametersTwice: ContractRule = {
  code: 'parameter-twice',
  objects: {
    Root(_node, _visit, context) {
      for (const item of context.paths.flatMap(({ items }) => items)) {
        for (const { visit } of context.operationsOf(item)) checkRepetition(visit, context);
        checkRepetition(item, context);
      }
    },
  },
};

function checkRepetition(holder: Visit, context: RuleContext): void {
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

export const querystrings: ContractRule = {
  code: 'querystring',
  objects: { PathItem: checkQuerystring, Operation: checkQuerystring },
};

function checkQuerystring({ parameters }: Node, visit: Visit, context: RuleContext): void {
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
    const at = { keys: ['parameters', String(last)] };
    context.reporter.warning(visit, `${what}  expected one of them`, at);
  };
  if (first !== last) warn('two parameters have in: querystring');
  if (places.includes('query')) warn('in: querystring and in: query exclude each other');
}

export const securityRequirements: ContractRule = {
  code: 'security-scheme',
  objects: {
    SecurityRequirement(requirement, visit, context) {
      const components = context.property(context.root, 'components');
      const schemes = Object(context.property(components, 'securitySchemes')?.node);
      for (const name of Object.keys(requirement)) {
        if (Object.hasOwn(schemes, name)) continue;
        const known = Object.keys(schemes).join(', ') || 'one in components.securitySchemes';
        const message = `the security scheme ${name} is unknown  expected ${known}`;
        context.reporter.error(visit, message, { keys: [name], isKey: true, isMockable: true });
      }
    },
  },
};
