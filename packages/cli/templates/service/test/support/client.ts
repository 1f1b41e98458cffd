// A client of the service under test, which compares each response with the contract.
import assert from "node:assert/strict";
import { {{afterAll}} } from "{{runner}}";
import { startService } from "@stubwright/service";
import { testClient } from "stubwright/testing";
import type { operations } from "../../generated/contract.ts";
import { service as options } from "../../src/service.ts";
import { env } from "./env.ts";

/** With every scope, and with none. */
const tokens = {{tokens}};
const service = await startService({ ...options, env, tokens });
{{afterAll}}(() => service.stop());

const clientWith = (token: string) =>
  testClient<operations>({
    contract: "generated/contract.json",
    target: service.url,
    token,
    observed: "build/observed",
  });

/** Sends a token with every scope. */
export const client = await clientWith("token-with-every-scope");
const limited = await clientWith("token-without-scopes");

/** Fails for an error, except those that depend on stored data. */
export function expectAccepted({ status }: Response): void {
  const isAccepted = status < 400 || [404, 409, 410, 422].includes(status);
  assert.ok(isAccepted, `got ${status}, expected <400, 404, 409, 410 or 422`);
}

/** Fails unless a request without credentials gets 401, one without scopes 403. */
export async function expectRefused(
  status: 401 | 403,
  operationId: Parameters<typeof client.example>[0],
): Promise<void> {
  const isMocked = typeof options.handlers[operationId] !== "function";
  // A mock accepts any token.
  if (isMocked && status === 403) return;
  const request = limited.example(operationId);
  const { method, url } = request;
  // The service verifies credentials before it reads the query and the body.
  const anonymous = new Request(url.replace(/\?.*/, ""), { method });
  const response = await limited.fetch(status === 401 ? anonymous : request);
  assert.equal(response.status, status);
}
