// The exports of node:http that the runtime calls.

// `import` reads all exports of node:http; its WebSocket loads undici, which takes 25 ms of each start.
export const { createServer, STATUS_CODES, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http');
