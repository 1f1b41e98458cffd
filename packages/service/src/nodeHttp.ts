// The exports of node:http that the service calls.

// `import` reads all exports of node:http; its WebSocket loads undici, which takes 25 ms of each start.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
