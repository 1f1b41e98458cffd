// Replays the requests of every release against the service.
import assert from "node:assert/strict";
import { replayReleases } from "@stubwright/cli/replay";
import { it } from "{{runner}}";

it("responds to the clients of every release as their contracts allow", async () => {
  const { passed, report } = await replayReleases();
  assert.ok(passed, report);
});
