// The exports of @jest/globals, assigned for each test file.
import type * as api from '@jest/globals';

export let afterAll: typeof api.afterAll;
export let afterEach: typeof api.afterEach;
export let beforeAll: typeof api.beforeAll;
export let beforeEach: typeof api.beforeEach;
export let describe: typeof api.describe;
export let expect: typeof api.expect;
export let it: typeof api.it;
export let jest: typeof api.jest;
export let test: typeof api.test;

export function setGlobals(globals: typeof api): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
