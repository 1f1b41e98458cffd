// Names in paths without a parameter, which are declared as strings, and path parameters without a name there.
import { type Node, templateNames } from '@stubwright/contract';
import type { ContractRule } from './rule.ts';

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
