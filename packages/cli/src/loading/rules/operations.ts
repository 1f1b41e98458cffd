// Operations: their ids, parameters that a list or a path lacks or repeats, and security requirements. Paths that no
// request matches, that are served as another one, or that match the same requests.

import { isDeepStrictEqual } from 'node:util';
import { barePath, isObject, type Node, templateNames } from '@stubwright/contract';
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

export const pathParameters: ContractRule = {
  code: 'path-parameter',
  objects: {
    Root(_node, _visit, context) {
      for (const { path, items } of context.paths) {
        const shared = items.flatMap((item) => context.list(item, 'parameters'));
        const names = templateNames(path);
        for (const { visit } of items.flatMap((item) => context.operationsOf(item))) {
          const all = [...context.list(visit, 'parameters'), ...shared];
          const declared = all.filter(({ node }) => (node as Node).in === 'path');
          for (const name of names) {
            if (declared.some(({ node }) => (node as Node).name === name)) continue;
            const own = Array.isArray(visit.node.parameters) ? visit.node.parameters : [];
            const parameter = { name, in: 'path', required: true, schema: { type: 'string' } };
            visit.node.parameters = [...own, parameter];
            const message = `{${name}} of ${path} is not declared and read as a string  expected a parameter ${name} in path`;
            context.reporter.warning(visit, message, { isKey: true });
          }
          for (const parameter of declared) {
            const { name } = parameter.node as Node;
            if (typeof name !== 'string' || names.includes(name)) continue;
            const message = `the path parameter ${name} is ignored  expected {${name}} in ${path}`;
            context.reporter.warning(parameter, message, { keys: ['name'] });
          }
        }
      }
    },
  },
};

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

export const pathTemplates: ContractRule = {
  code: 'path-template',
  objects: {
    Root(_node, _visit, { paths, reporter }) {
      for (const { path, visit } of paths) {
        const refuse = (what: string, expected: string) =>
          reporter.error(visit, `${what}  expected ${expected}`, { isKey: true });
        if (!path.startsWith('/')) refuse(`the path ${path}`, 'a path that starts with /');
        if (barePath(path) !== path) {
          const message = `${path} has a query or fragment and is served as ${barePath(path)} where no other path is  expected a path alone`;
          reporter.warning(visit, message, { isKey: true });
        }
        if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, ''))) {
          refuse(`the braces of ${path} do not pair`, 'a template such as /toys/{id}');
        }
        const names = templateNames(path);
        const twice = names.find((name, at) => names.indexOf(name) !== at);
        if (twice !== undefined) {
          refuse(`${path} names {${twice}} twice`, 'every name once in a path');
        }
      }
    },
  },
};

const TEMPLATE = /^\{.+?\}$/;

export const ambiguousPaths: ContractRule = {
  code: 'ambiguous-paths',
  objects: {
    Root(_node, _visit, { paths, reporter }) {
      /** By the number of segments and of variables. */
      const groups = new Map<string, (readonly [path: string, segments: readonly string[]])[]>();
      const identical = new Map<string, string>();
      for (const { path, visit } of paths) {
        const segments = path.split('/');
        const key = `${segments.length} ${segments.filter((segment) => TEMPLATE.test(segment)).length}`;
        const group = groups.get(key) ?? [];
        groups.set(key, group);
        const shape = path.replace(/\{.+?\}/g, '{}');
        const first =
          identical.get(shape) ?? group.find(([, other]) => areAmbiguous(other, segments))?.[0];
        if (!identical.has(shape)) identical.set(shape, path);
        group.push([path, segments]);
        if (first === undefined) continue;
        const message = `${path} is ambiguous with ${first}, which takes precedence  expected unambiguous paths`;
        reporter.warning(visit, message, { isKey: true });
      }
    },
  },
};

function areAmbiguous(one: readonly string[], other: readonly string[]): boolean {
  return one.every(
    (segment, at) => segment === other[at] || TEMPLATE.test(segment) || TEMPLATE.test(other[at]!),
  );
}
