// Paths that match the same requests.
import type { ContractRule } from './rule.ts';

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
