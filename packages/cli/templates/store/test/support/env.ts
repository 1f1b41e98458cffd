// The settings of the service in tests, which do not use those of the shell. Add the service's own.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";

mkdirSync("build", { recursive: true });
const folder = mkdtempSync("build/store-");
process.once("exit", () => rmSync(folder, { recursive: true }));
let databases = 0;

export const env = {
  PORT: "0",
  LOG_LEVEL: "silent",
  // Tests share this process and its event loop.
  LAG_LIMIT: "60000",
  /** An empty database for each service that a test starts. */
  get DATABASE_URL() {
    return `sqlite:${folder}/${databases++}.db`;
  },
};
