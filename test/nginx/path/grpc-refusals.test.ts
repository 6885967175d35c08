// What is refused in the place of a backend, as gRPC clients see it: a status of theirs, and nothing that they cannot read.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { connect } from "node:http2"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { call, GrpcServer, type Reply } from "../../../harness/grpc.ts"
import { ask } from "../../../harness/http.ts"
import { ingress, secret, service, serviceOn } from "../../../harness/manifests.ts"
import { hashes } from "../../../harness/passwords.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const silent = createServer((socket) => socket.on("error", () => {}))
const dir = mkdtempSync(join(tmpdir(), "wick-grpc-"))
const log = join(dir, "access.log")
let server: GrpcServer
let site: Site

/** Host → annotations, and the status that a call gets. */
const refused: Record<string, { annotations: Record<string, string>; status: string; service?: string }> = {
  "password.test": { annotations: { "auth-type": "basic", "auth-secret": "users" }, status: "16" },
  "list.test": { annotations: { "allowlist-source-range": "192.0.2.1" }, status: "7" },
  "nobody.test": { annotations: {}, status: "14", service: "nobody" },
  "slow.test": { annotations: { "proxy-read-timeout": "1" }, status: "4", service: "silent" },
  "large.test": { annotations: { "proxy-body-size": "1" }, status: "8" },
  "denied.test": { annotations: { "auth-type": "basic" }, status: "14" },
}

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  server = await new GrpcServer("a").start()
  site = await Site.start([])
  await site.reconfigure({
    "limit-req-status-code": "429",
    "access-log-path": log,
    "log-format-upstream": "$host $status",
  })
  const port = (silent.address() as { port: number }).port
  await site.put(
    secret("demo/users", { auth: `foo:${hashes.plain}` }),
    ...serviceOn("demo/grpc", [server.port]),
    ...serviceOn("demo/silent", [port]),
    service("demo/nobody"),
    ingress("demo/limited", "limited.test/ → grpc:80", { "backend-protocol": "GRPC", "limit-rpm": "1" }),
    ...Object.entries(refused).map(([host, { annotations, service = "grpc" }]) =>
      ingress(`demo/${host}`, `${host}/ → ${service}:80`, { "backend-protocol": "GRPC", ...annotations }),
    ),
  )
  await until("a location for gRPC", async () => (await callTo("limited.test")).grpcStatus === "0")
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  silent.close()
  rmSync(dir, { recursive: true })
})

async function callTo(servername: string): Promise<Reply> {
  const options = { rejectUnauthorized: false, servername }
  const session = connect(`https://127.0.0.1:${site.wick.httpsPort}`, options)
  session.on("error", () => {})
  try {
    return await call(session, "/echo/say", "a longer message than one byte")
  } finally {
    session.destroy()
  }
}

const only = (grpcStatus: string) => ({
  status: 200,
  contentType: "application/grpc",
  grpcStatus,
  bytes: 0,
  trailers: {},
})

test.each(Object.entries(refused))("%s", async (host, { status }) => {
  expect(await callTo(host)).toMatchObject(only(status))
})

test("what nobody serves", async () => {
  expect(await callTo("unknown.test")).toMatchObject(only("12"))
})

test("a limit", async () => {
  await until("the limit", async () => (await callTo("limited.test")).grpcStatus !== "0")
  expect(await callTo("limited.test")).toMatchObject(only("8"))
})

test("logs have the HTTP status, and other clients get it with a page", async () => {
  await until("the status in the access log", () => readFileSync(log, "utf8").includes("nobody.test 503"))
  const answer = await ask({ port: site.wick.port }, { host: "nobody.test" })
  expect([answer.status, answer.headers["content-type"], answer.headers["grpc-status"]]).toEqual([
    503,
    "text/html",
    undefined,
  ])
})
