// Patterns that only backtracking can match: a string of a client could block the service.
import { isObject } from '@stubwright/contract';
import { isLinear } from '../../patterns/linearPattern.ts';
import type { ContractRule } from './rule.ts';

export const patterns: ContractRule = {
  code: 'pattern',
  objects: {
    Schema({ pattern, patternProperties }, visit, { reporter }) {
      const refuse = (text: string, keys: readonly string[], isKey: boolean) => {
        if (isLinear(text)) return;
        const message = `${text} may take exponential time  expected no back reference to a repetition, and at most 1,000 characters and repetitions`;
        reporter.error(visit, message, { keys, isKey });
      };
      if (typeof pattern === 'string') refuse(pattern, ['pattern'], false);
      if (!isObject(patternProperties)) return;
      for (const text of Object.keys(patternProperties)) {
        refuse(text, ['patternProperties', text], true);
      }
    },
  },
};
