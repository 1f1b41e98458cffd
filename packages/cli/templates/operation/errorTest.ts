// {{operation}}
import assert from "node:assert/strict";
import { it } from "{{runner}}";
import { client{{imported}} } from "../support/client.ts";

// The contract declares no success.
it({{title}}, async () => {
  const request = {{example}};
  const { status } = await client.fetch(request);
  assert.ok(status >= 400, String(status));
});
