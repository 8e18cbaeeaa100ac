/**
 * Node's HTTP server, as it is. An `import` of `node:http` would read every name of that module to list it; some of those names
 * are made when they are read, out of all that Node's `fetch` and `WebSocket` are: 40 ms of every start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
