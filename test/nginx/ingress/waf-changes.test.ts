// Rules change while requests are served: nothing is lost, equal sets are one, and workers compile for themselves.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { Echo } from "../../../harness/echo.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { writeRules } from "../../../harness/ingress/waf.ts"
import { coreRules, recommendedRules } from "../../../harness/modsecurity.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"

const host = "a.test"
let backend: Echo
let ingress: Ingress
let directory: string
beforeAll(async () => {
  backend = await new Echo().start()
  backend.answer = () => ({ body: "welcome" })
  ingress = await startIngress({
    workers: 2,
    http: ({ dir }) => `ingress_modsecurity ${dir}/modsecurity;`,
    locations: `location @app { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://127.0.0.1:${backend.port}; }`,
  })
  directory = join(ingress.nginx.dir, "modsecurity")
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})

const core = [{ file: recommendedRules() }, { file: coreRules("4.22.0") }]
const rulesOf = (status: number) =>
  writeRules(directory, [
    {
      text: `SecRuleEngine On\nSecAuditEngine Off\nSecRule ARGS:n "@streq ${status}" "id:1,phase:1,deny,status:${status}"`,
    },
    ...core,
  ])
const put = (rules: string, owner = "demo/a", of = host) =>
  ingress.route(of, [{ path: "/", location: "app", waf: { owner, rules } }])

test("new rules are in force without a reload, and no request is lost or passes uninspected meanwhile", async () => {
  const seen = new Set<string>()
  let isOver = false
  const attacks = Array.from({ length: 4 }, async () => {
    while (!isOver) seen.add(await ingress.ask(host, "/?q=1'+or+'1'='1'+--+"))
  })
  const guests = Array.from({ length: 4 }, async () => {
    while (!isOver) seen.add(`guest ${await ingress.ask(host, "/?q=hello")}`)
  })
  await put(rulesOf(410))
  for (let status = 411; status < 431; status += 1) {
    await put(rulesOf(status))
    await until(
      `the rules for ${status}`,
      async () => (await ingress.ask(host, `/?n=${status}`)) === `${status}`,
    )
  }
  isOver = true
  await Promise.all([...attacks, ...guests])
  // Before there was a route at all it was 404.
  seen.delete("404")
  seen.delete("guest 404")
  expect([...seen].sort()).toEqual(["403", "guest welcome"])
})

test("equal rules of many are compiled once, different ones share what they have in common", async () => {
  const residentKb = () =>
    Math.max(
      ...ingress.nginx
        .workers()
        .map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])),
    )
  await put(rulesOf(450))
  for (let n = 0; n < 8; n += 1) await ingress.ask(host)
  const before = residentKb()
  for (let n = 0; n < 200; n += 1) {
    await put(n % 2 === 0 ? rulesOf(450) : rulesOf(10_000 + n), `demo/${n}`, `h${n}.test`)
    expect(await ingress.ask(`h${n}.test`)).toBe("welcome")
  }
  // Of a hundred sets that have the Core Rule Set each; one of them alone takes 37 MB.
  expect(residentKb() - before).toBeLessThan(30_000)
})

test("a request to a worker that was just started waits for its rules", async () => {
  const rules = rulesOf(470)
  await put(rules, "demo/waits")
  const answers = await Promise.all(Array.from({ length: 40 }, () => ingress.ask(host, "/?n=470")))
  expect(new Set(answers)).toEqual(new Set(["470"]))
  for (const pid of ingress.nginx.workers()) signal(pid, "SIGKILL")
  await until("new workers", async () => {
    try {
      return (await ingress.ask(host, "/?n=470")) === "470"
    } catch {
      return false
    }
  })
  const again = await Promise.all(Array.from({ length: 40 }, () => ingress.ask(host, "/?n=470")))
  expect(new Set(again)).toEqual(new Set(["470"]))
})

test("a reload, and the end of a worker, lose nothing", async () => {
  await put(rulesOf(480), "demo/reloaded")
  for (let n = 0; n < 3; n += 1) {
    const asked = Array.from({ length: 20 }, () => ingress.ask(host, "/?n=480"))
    await ingress.nginx.reload()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["480"]))
  }
  expect(ingress.nginx.errorLog()).not.toMatch(/exited on signal (6|11)/)
})

test("a second attempt at a backend is the same request before the rules", async () => {
  await using backends = await startBackends("a", "b")
  const [first, second] = backends
  await first?.fault("reset")
  await using retrying = await startIngress({
    http: `ingress_modsecurity ${directory};
      upstream two { server 127.0.0.1:${first?.port}; server 127.0.0.1:${second?.port} backup; }`,
    locations: "location @app { proxy_pass http://two; }",
  })
  const text = `SecRuleEngine On\nSecRequestBodyAccess On\nSecResponseBodyAccess On
    SecAction "id:1,phase:2,pass,log,msg:'seen'"`
  const waf = { owner: "demo/r", rules: writeRules(directory, [{ text }]) }
  await retrying.route(host, [{ path: "/", location: "app", waf }])
  const before = retrying.nginx.errorLog().length
  const { body } = await retrying.nginx.get("/", { host, method: "PUT", body: "hello" })
  expect(body).toBe("b")
  expect(
    retrying.nginx
      .errorLog()
      .slice(before)
      .match(/"seen"/g),
  ).toHaveLength(1)
})
