// Profiles of a wick that runs, for those who have the token.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress, ingressClass, manifest, service, slice } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const token = "0123456789abcdef"
const headers = { authorization: `Bearer ${token}` }

let dir: string
let port: number
let wick: Wick
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "wick-profiles-"))
  const file = join(dir, "token")
  writeFileSync(file, token)
  ;[port = 0] = await freePorts(1)
  wick = await startWick({
    manifests: {
      "all.yaml": manifest(
        ingressClass,
        service("shop/own", port),
        slice("shop/own", ["127.0.0.1"], port),
        ingress("shop/own", `own.test/ → own:${port}`),
      ),
    },
    flags: [
      "--profiling",
      "--profiler-address=0.0.0.0",
      `--profiler-port=${port}`,
      `--profiler-token-file=${file}`,
    ],
  })
})
afterAll(async () => {
  await wick.stop()
  rmSync(dir, { recursive: true })
})

test("nobody gets one without the token", async () => {
  for (const path of ["/debug/pprof/", "/debug/pprof/heap", "/login"])
    expect((await ask({ port }, { path })).status).toBe(401)
})

test("a CPU profile is of the controller", async () => {
  const answer = await ask({ port }, { path: "/debug/pprof/profile?seconds=1", headers })
  expect(answer.status).toBe(200)
  expect(answer.json()).toMatchObject({ nodes: expect.any(Array), samples: expect.any(Array) })
})

test("a snapshot is of the controller", async () => {
  const answer = await ask({ port }, { path: "/debug/pprof/heap", headers })
  expect(answer.body).toContain("controller/run/run.ts")
})

test("an Ingress cannot lead there", async () => {
  const answer = await wick.get("/debug/pprof/", { host: "own.test", headers })
  expect(answer.status).toBe(503)
})
