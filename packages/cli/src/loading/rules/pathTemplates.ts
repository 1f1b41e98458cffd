// Paths that no request matches, or that are served as another one.
import { barePath, templateNames } from '@stubwright/contract';
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
