/**
 * Node's HTTP server without an `import`, which would read every export of `node:http`: some load `fetch` and `WebSocket`,
 * which takes 40 ms at each start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
