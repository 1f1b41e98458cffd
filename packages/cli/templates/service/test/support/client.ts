// A client of the service under test, which compares each response with the contract.
import assert from "node:assert/strict";
import { {{afterAll}} } from "{{runner}}";
import { startService } from "stubwright/service";
import { testClient } from "stubwright/testing";
import type { operations } from "../../generated/contract.ts";
import { service as options } from "../../src/service.ts";
import { env } from "./env.ts";

const service = await startService({ ...options, env });
{{afterAll}}(() => service.stop());

/** Sends the generated token with every call. */
export const client = await testClient<operations>({
  contract: "generated/contract.json",
  target: service.url,
  token: service.generatedToken,
  observed: "build/observed",
});

/** Fails for an error, except those that depend on stored data. */
export function expectAccepted({ status }: Response): void {
  const isAccepted = status < 400 || [404, 409, 410].includes(status);
  assert.ok(isAccepted, `got ${status}, expected a success, 404, 409 or 410`);
}
