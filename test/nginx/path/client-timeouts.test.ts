// How long clients may pause, per Ingress and in streams that are open at both ends.
import { type ClientHttp2Session, connect } from "node:http2"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Call, call, GrpcServer } from "../../../harness/grpc.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"
import { Site } from "./site.ts"

/** Longer than `client-body-timeout` below, and than what nginx rounds it by. */
const pauseMs = 6500

let server: GrpcServer
let site: Site
const sessions: ClientHttp2Session[] = []

beforeAll(async () => {
  server = await new GrpcServer("a").start()
  site = await Site.start([])
  await site.reconfigure({ "client-body-timeout": "5" })
  const grpc = { "backend-protocol": "GRPC" }
  await site.put(
    ...serviceOn("demo/grpc", [server.port]),
    ingress("demo/usual", "usual.test/ → grpc:80", grpc),
    ingress("demo/patient", "patient.test/ → grpc:80", { ...grpc, "wick.dev/client-body-timeout": "1h" }),
  )
  const isServed = () =>
    call(session("usual.test"), "/echo/say", "hi").then(
      ({ grpcStatus }) => grpcStatus === "0",
      () => false,
    )
  await until("a location for gRPC", isServed)
})
afterAll(async () => {
  for (const one of sessions) one.destroy()
  await site[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

function session(servername: string): ClientHttp2Session {
  const options = { rejectUnauthorized: false, servername }
  const one = connect(`https://127.0.0.1:${site.wick.httpsPort}`, options)
  one.on("error", () => {})
  sessions.push(one)
  return one
}

/** A stream that says something, pauses, and says something else. */
async function paused(host: string, path: string) {
  const stream = new Call(session(host), path)
  stream.send("one")
  await stream.next()
  await letPass(pauseMs, "nobody says anything for so long")
  stream.send("two")
  return stream.end()
}

test("a stream in which nobody says anything ends after the ConfigMap's time", async () => {
  const end = await paused("usual.test", "/echo/say").then(({ grpcStatus }) => grpcStatus, String)
  expect(end).not.toBe("0")
})

test("or after that of its Ingress", async () => {
  expect(await paused("patient.test", "/echo/say")).toMatchObject({
    grpcStatus: "0",
    messages: ["a one", "a two"],
  })
})

test("what the backend says counts as well", async () => {
  const { grpcStatus, messages } = await paused("usual.test", "/echo/tick")
  expect(grpcStatus).toBe("0")
  expect(messages.filter((message) => message !== "tick")).toEqual(["a one", "a two"])
})
