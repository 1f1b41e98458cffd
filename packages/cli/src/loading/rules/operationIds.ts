// OperationIds that belong to two operations.
import type { ContractRule } from './rule.ts';

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
