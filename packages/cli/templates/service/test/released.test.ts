// Replays the requests of every release against the service.
import assert from "node:assert/strict";
import { replayReleases } from "@stubwright/cli/replay";
import { it } from "{{runner}}";
import { env } from "./support/env.ts";

it("responds to the clients of every release as their contracts allow", async () => {
  const { passed, report } = await replayReleases({ env });
  assert.ok(passed, report);
});
