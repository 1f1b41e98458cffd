// The settings of the service in tests, which do not use those of the shell. Add the service's own.
export const env = {
  PORT: "0",
  LOG_LEVEL: "silent",
  // Tests share this process and its event loop.
  LAG_LIMIT: "60000",
};
