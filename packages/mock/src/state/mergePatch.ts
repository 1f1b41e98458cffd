// JSON Merge Patch (RFC 7396).
import { isPlainObject } from './bodyShape.ts';

/** @param nulls `remove` as in RFC 7396; `keep` for a body of another media type, where null is a value */
export function mergePatch(target: unknown, patch: unknown, nulls: 'remove' | 'keep'): unknown {
  if (!isPlainObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isPlainObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null && nulls === 'remove') delete merged[name];
    else merged[name] = mergePatch(merged[name], value, nulls);
  }
  return merged;
}
