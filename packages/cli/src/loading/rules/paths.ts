// Paths: templates that no request matches, paths that match the same requests, and parameters of a template that its
// operations do not declare.
import { barePath, type Node, templateNames } from '@stubwright/contract';
import type { ContractRule } from './rule.ts';

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
