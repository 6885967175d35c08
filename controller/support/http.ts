import { createRequire } from "node:module"

/**
 * Node's HTTP. An import of it reads all of its exports, WebSocket among them, and so loads Node's client of `fetch`, which takes 6 MB and which nobody
 * here uses. Other types are imported from `node:http`.
 */
export const http: typeof import("node:http") = createRequire(import.meta.url)("node:http")

export const { Agent, createServer, request, validateHeaderValue } = http
export type Agent = InstanceType<typeof Agent>
