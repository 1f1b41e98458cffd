// The errors of patches, with the pointer of the operation that causes them.
import {
  contractViolation,
  type Problem,
  patchNotApplicable,
  testFailed,
} from '../errors/problem.ts';

const MAX_SHOWN = 200;

/** 400: not a patch. @param pointer into the patch */
export function malformedPatch(pointer: string, expected: string, rule = 'type'): Problem {
  const text = rule === 'required' ? 'is required' : `expected ${expected}`;
  const message = [pointer, text].filter(Boolean).join(' ');
  return contractViolation(message, [{ in: 'body', pointer, rule, expected }]);
}

/** 422: the operation cannot be applied to the document. @param pointer into the patch */
export function inapplicable(pointer: string, reason: string): Problem {
  const violation = { in: 'body', pointer, rule: 'patch', expected: reason } as const;
  return patchNotApplicable(`${pointer}: ${reason}`, [violation]);
}

/** 409. @param pointer into the patch */
export function falseTest(pointer: string, path: string): Problem {
  const reason = `the test of ${shownPath(path)} is false`;
  const violation = { in: 'body', pointer, rule: 'test', expected: 'the current value' } as const;
  return testFailed(`${pointer}: ${reason}`, [violation]);
}

export function shownPath(path: string): string {
  if (path === '') return 'the document';
  return path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
}
