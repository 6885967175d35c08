// The image in a Pod as restricted as the chart makes it, at a real API server: it serves, with no more rights than it needs.
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { ask } from "../../harness/http.ts"
import { titleOf } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import { tlsAgent } from "../support/agents.ts"
import { type Pod, startPod } from "./support/pod.ts"

let server: ApiServer
let pod: Pod

beforeAll(async () => {
  server = await startApiServer()
  pod = await startPod(server)
})
afterAll(async () => {
  await pod?.stop()
  await server?.stop()
})

/** A field of /proc/<pid>/status. */
const status = (pid: number, field: string) =>
  new RegExp(`^${field}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]

test("requests by HTTP and HTTPS are answered on ports 80 and 443", async () => {
  expect(await pod.get()).toMatchObject({ status: 200, body: "one" })
  const secure = { port: 443, agent: tlsAgent("first.test") }
  expect(await ask(secure, { host: "first.test" })).toMatchObject({ status: 200, body: "one" })
})

test("every process is user 101, gains nothing, and may at most listen on low ports", () => {
  const pids = pod.container.pids()
  expect(pids.map(titleOf).join("\n")).toMatch(
    /dumb-init.*nginx-ingress-controller.*nginx: master.*nginx: worker/s,
  )
  const rights = pids.map((pid) => ({
    user: status(pid, "Uid"),
    group: status(pid, "Gid"),
    gainsNothing: status(pid, "NoNewPrivs"),
    others: BigInt(`0x${status(pid, "CapBnd")}`) & ~(1n << 10n),
  }))
  for (const one of rights)
    expect(one).toEqual({
      user: "101\t101\t101\t101",
      group: "82\t82\t82\t82",
      gainsNothing: "1",
      others: 0n,
    })
})

test("the access log comes out at stdout", async () => {
  await pod.get("/logged")
  await until("the line", () => pod.container.out.includes("GET /logged"))
})

test("programs of ingress-nginx's image are there", async () => {
  const found = await pod.container.exec("/nginx-ingress-controller", "--version")
  expect(found).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^wick \d.* \(commit [0-9a-f]{40}, nginx 1\.26\.\d+\)$/m),
    err: "",
  })
  const routes = await pod.container.exec("wick", "routes")
  expect(routes).toMatchObject({ code: 0, out: expect.stringContaining("first.test") })
})

test("nothing can be written but /tmp", async () => {
  const written = await pod.container.exec(
    "/bin/sh",
    "-c",
    "for d in / /etc/nginx /run /var/tmp /usr/local/lib/wick /var/lib/nginx /var/log; do touch $d/x 2>/dev/null && echo $d; done; touch /tmp/x && echo fine",
  )
  expect(written.out).toBe("fine\n")
})
