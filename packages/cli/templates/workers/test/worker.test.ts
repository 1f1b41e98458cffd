// The Worker in this process, without its runtime.
import assert from "node:assert/strict";
import { it } from "{{runner}}";
import { testClient } from "stubwright/testing";
import type { operations } from "../generated/contract.ts";
import worker from "../src/worker.ts";

const client = await testClient<operations>({
  contract: "generated/contract.json",
  target: (request) => worker.fetch(request, { API_TOKEN: "worker-token" }),
  token: "worker-token",
});

it("responds as the contract declares", async () => {
  const { status } = await client.fetch(client.example({{operationId}}));
  assert.ok(status < 500, `got ${status}, expected less than 500`);
});
