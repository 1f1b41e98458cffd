// Reports the patterns that only backtracking can match: a string of a client could block the service.

import type { Oas3Rule } from '@redocly/openapi-core';
import { isObject, type Node } from '@stubwright/contract';
import { isLinear } from '../patterns/linearPattern.ts';

export const patternsRule: Oas3Rule = () => ({
  Schema(schema: Node | boolean, { report, location }) {
    if (!isObject(schema)) return;
    const { pattern, patternProperties } = schema;
    const found = [
      ...(typeof pattern === 'string' ? [{ text: pattern, at: location.child('pattern') }] : []),
      ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map((text) => ({
        text,
        at: location.child(['patternProperties', text]).key(),
      })),
    ];
    for (const { text, at } of found) {
      if (isLinear(text)) continue;
      report({
        message: `${text} may take exponential time  expected no back reference to a repetition, and at most 1,000 characters and repetitions`,
        location: at,
      });
    }
  },
});
