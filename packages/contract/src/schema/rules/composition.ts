// Rules that apply other schemas to the same value.
import { has } from './objects.ts';
import type { JsonObject, Rule } from './rule.ts';

/** @param target the rule of the referenced schema */
export function referenceRule(target: () => Rule): Rule {
  return {
    test: (value, evaluation) => evaluation.isValid(target(), value),
    code(value, test) {
      const rule = test.variable();
      const isValid = `evaluation.countStep() ? ${rule}.test(${value}, evaluation) : evaluation.isKnownValid(${rule}, ${value})`;
      return `const ${rule} = ${test.constant(target)}();\nif (!(${isValid})) return false;\n`;
    },
    report(value, at, errors) {
      const rule = target();
      if (!errors.isFull && errors.enter(rule, value, at)) rule.report(value, at, errors);
    },
    mark(value, marks) {
      const rule = target();
      if (marks.enter(rule)) rule.mark?.(value, marks);
    },
  };
}

export function allRule(rules: readonly Rule[]): Rule {
  return {
    test(value, evaluation) {
      for (const rule of rules) if (!rule.test(value, evaluation)) return false;
      return true;
    },
    report(value, at, errors) {
      for (const rule of rules) rule.report(value, at, errors);
    },
    mark(value, marks) {
      for (const rule of rules) rule.mark?.(value, marks);
    },
  };
}

export function notRule(inner: Rule): Rule {
  return {
    test: (value, evaluation) => !inner.test(value, evaluation),
    report(value, at, errors) {
      if (!inner.test(value, errors.evaluation)) return;
      errors.add(at, { keyword: 'not', message: 'expected to NOT be valid', value });
    },
  };
}

export function conditionalRule(
  condition: Rule,
  branches: { readonly then: Rule | undefined; readonly otherwise: Rule | undefined },
): Rule {
  const { then, otherwise } = branches;
  return {
    test(value, evaluation) {
      const branch = condition.test(value, evaluation) ? then : otherwise;
      return branch === undefined || branch.test(value, evaluation);
    },
    report(value, at, errors) {
      const isMet = condition.test(value, errors.evaluation);
      (isMet ? then : otherwise)?.report(value, at, errors);
    },
    mark(value, marks) {
      const isMet = condition.test(value, marks.evaluation);
      if (isMet) condition.mark?.(value, marks);
      (isMet ? then : otherwise)?.mark?.(value, marks);
    },
  };
}

export function dependentRule(name: string, inner: Rule): Rule<JsonObject> {
  return {
    test: (value, evaluation) => !has(value, name) || inner.test(value, evaluation),
    report(value, at, errors) {
      if (has(value, name)) inner.report(value, at, errors);
    },
    mark(value, marks) {
      if (has(value, name)) inner.mark?.(value, marks);
    },
  };
}
