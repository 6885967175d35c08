// Rules of ModSecurity, seen by a client: which look at whose requests, and that a change of them is a post.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startLoad } from "../../../harness/load.ts"
import { ingress, type Json, settings } from "../../../harness/manifests.ts"
import { memoryBytesOf } from "../../../harness/processes.ts"
import { scrape, sumOf } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

const on = { "enable-modsecurity": "true" }
const deny = (id: number, value: string) =>
  `SecRule ARGS:q "@streq ${value}" "id:${id},phase:1,deny,status:403"`
const blocking = (value: string) => ({
  ...on,
  "modsecurity-snippet": `SecRuleEngine On\n${deny(1001, value)}`,
})
const injection = "/?id=1%27%20OR%20%271%27%3D%271%27%20UNION%20SELECT%20password%20FROM%20users--"

const app = (host: string, annotations: Readonly<Record<string, string>> = {}) =>
  ingress(`demo/${host}`, `${host}/ → app:80`, annotations)
const put = (...objects: readonly Json[]) => site.put(...site.service("app", "one"), ...objects)
const status = async (host: string, path: string) => (await site.get(path, { host })).status
const answers = (host: string, path: string, wanted: number) =>
  until(`${host}${path} to answer ${wanted}`, async () => (await status(host, path)) === wanted)

describe("rules of an Ingress", () => {
  test("as nginx's directives in a snippet", async () => {
    const rules = (value: string) =>
      `modsecurity on; modsecurity_rules '\nSecRuleEngine On\n${deny(1001, value)}\n';`
    const said = (value: string) => ({
      "configuration-snippet": `${rules(value)} add_header X-Rules ${value};`,
    })
    await put(app("text.test", said("bad")), app("other.test"))
    await answers("text.test", "/?q=bad", 403)
    expect([await status("text.test", "/?q=good"), await status("other.test", "/?q=bad")]).toEqual([200, 200])
    await put(app("text.test", said("good")), app("other.test"))
    await answers("text.test", "/?q=good", 403)
    // Another worker may have the rules before them for a moment more.
    await answers("text.test", "/?q=bad", 200)
    await site.expectOnlyPosts()
  })

  test("deny what they say, and only there", async () => {
    await put(app("own.test", blocking("bad")), app("other.test"))
    await answers("own.test", "/?q=bad", 403)
    expect(await status("own.test", "/?q=good")).toBe(200)
    expect(await status("other.test", "/?q=bad")).toBe(200)
  })

  test("that change are posted: nothing is reloaded, and there is no moment without rules", async () => {
    // Each text denies both what it says and what every one says: nobody asks for that in between and gets in.
    const both = (value: string) => ({
      ...on,
      "modsecurity-snippet": `SecRuleEngine On\n${deny(1001, value)}\n${deny(1002, "always")}`,
    })
    await put(app("swap.test", both("one")), app("other.test"))
    await answers("swap.test", "/?q=always", 403)
    let isOver = false
    const asking = (async () => {
      const seen = new Set<number>()
      while (!isOver) seen.add(await status("swap.test", "/?q=always"))
      return seen
    })()
    for (const value of ["two", "three"]) {
      await put(app("swap.test", both(value)), app("other.test"))
      await answers("swap.test", `/?q=${value}`, 403)
    }
    isOver = true
    expect([...(await asking)]).toEqual([403])
    // Another worker may have the rules before them for a moment more.
    await answers("swap.test", "/?q=one", 200)
    await site.expectOnlyPosts()
  })

  test("that only report let everything in", async () => {
    await put(
      app("reports.test", {
        ...on,
        "modsecurity-snippet": `SecRuleEngine DetectionOnly\n${deny(1001, "bad")}`,
      }),
    )
    await answers("reports.test", "/?q=bad", 200)
  })

  test("of a ConfigMap stand beside those of the snippet", async () => {
    await put(
      settings("demo/rules", { a: deny(1001, "map") }),
      app("map.test", {
        ...on,
        "modsecurity-snippet": "SecRuleEngine On",
        "wick.dev/modsecurity-rules": "rules",
      }),
    )
    await answers("map.test", "/?q=map", 403)
  })

  test("by which libmodsecurity finds a mistake close its Ingress alone, with its words", async () => {
    const two = `SecRuleEngine On\n${deny(1001, "a")}\n${deny(1003, "b")}`
    await put(
      app("wrong.test", { ...on, "modsecurity-snippet": `${two}\nSecRule NO_SUCH_THING "a" "id:1002"` }),
      app("own.test", blocking("bad")),
    )
    await answers("wrong.test", "/", 503)
    await answers("own.test", "/?q=bad", 403)
    await site.untilProblem("modsecurity-rules-invalid")
    await site.untilSaid("line 4: libmodsecurity says")
  })

  test("that could read files close it, too, and never reach the disk", async () => {
    await put(
      app("files.test", { ...on, "modsecurity-snippet": 'SecRule ARGS "@pmFromFile /etc/passwd" "id:1"' }),
    )
    await answers("files.test", "/", 503)
    await site.untilProblem("modsecurity-rules-refused")
  })
})

test("the Core Rule Set denies an injection, and nothing ordinary", async () => {
  await put(
    app("core.test", { ...on, "enable-owasp-core-rules": "true", "modsecurity-snippet": "SecRuleEngine On" }),
    app("reports.test", { ...on, "enable-owasp-core-rules": "true" }),
  )
  await answers("core.test", injection, 403)
  expect(await status("core.test", "/search?q=shoes&page=2")).toBe(200)
  // the recommended rules only report
  expect(await status("reports.test", injection)).toBe(200)
})

test("what becomes of requests is counted, and so are the sets", async () => {
  const rules = {
    ...on,
    "modsecurity-snippet": `SecRuleEngine On\n${deny(1001, "bad")}\nSecRule RESPONSE_STATUS "@streq 200" "id:1002,phase:3,deny,status:404,chain"\nSecRule ARGS:q "@streq late" ""`,
  }
  await put(
    app("counted.test", rules),
    app("same.test", rules),
    app("refused.test", { ...on, "modsecurity-snippet": 'SecRule NO_SUCH_THING "a" "id:1002"' }),
    app("beside.test"),
  )
  // Those who wait for the rules ask another Ingress with the same set: each request of the first one is known.
  await answers("same.test", "/?q=bad", 403)
  await answers("refused.test", "/", 503)
  for (const word of ["good", "good", "bad", "late"]) await status("counted.test", `/?q=${word}`)
  await status("beside.test", "/")
  await until("the requests to be counted", async () => {
    const samples = await scrape(site.wick)
    const of = (outcome: string) =>
      sumOf(samples, "wick_modsecurity_requests_total", { ingress: "counted.test", outcome })
    return ["passed", "stopped_phase_1", "stopped_phase_3", "closed"].map(of).join() === "2,1,1,0"
  })
  await until("one set in force, and one refused", async () => {
    const samples = await scrape(site.wick)
    const sets = (state: string) => sumOf(samples, "wick_modsecurity_rule_sets", { state })
    return ["in_force", "checking", "refused"].map(sets).join() === "1,0,1"
  })
  const samples = await scrape(site.wick)
  expect(sumOf(samples, "wick_modsecurity_requests_total", { ingress: "beside.test" })).toBe(0)
  expect(sumOf(samples, "wick_modsecurity_check_seconds_count")).toBeGreaterThan(0)
})

test("requests that a rule denies before the Core Rule Set has begun leave nothing in memory", async () => {
  const annotations = { ...blocking("bad"), "enable-owasp-core-rules": "true" }
  await put(app("early.test", annotations))
  await answers("early.test", "/?q=bad", 403)
  const send = async (requests: number) => {
    const question = () => ({ host: "early.test", path: "/?q=bad" })
    const { statuses } = await startLoad({ port: site.wick.port, connections: 8, requests, question }).done
    expect([...statuses]).toEqual([[403, requests]])
  }
  const memory = () => site.wick.workers().reduce((sum, pid) => sum + memoryBytesOf(pid), 0)
  const requests = 4000
  const grown: number[] = []
  // A worker that compiles the rules meanwhile, or gets memory for more connections, does so once.
  for (let round = 0; round < 6; round += 1) {
    const before = memory()
    await send(requests)
    grown.push(memory() - before)
  }
  // libmodsecurity would have lost half a kilobyte with each.
  expect(Math.min(...grown)).toBeLessThan(requests * 200)
})

describe("rules of the ConfigMap", () => {
  test("hold for all Ingresses that do not switch them off, behind their own", async () => {
    site.configure({ ...on, "modsecurity-snippet": `SecRuleEngine On\n${deny(2001, "bad")}` })
    await put(
      app("all.test"),
      app("none.test", { "enable-modsecurity": "false" }),
      app("reports.test", { "modsecurity-snippet": "SecRuleEngine DetectionOnly" }),
      app("more.test", { "modsecurity-snippet": deny(1001, "own") }),
    )
    await answers("all.test", "/?q=bad", 403)
    await answers("none.test", "/?q=bad", 200)
    await answers("reports.test", "/?q=bad", 200)
    await answers("more.test", "/?q=own", 403)
    expect(await status("more.test", "/?q=bad")).toBe(403)
    site.configure({})
    await answers("all.test", "/?q=bad", 200)
  })
})

test("nothing of a user's text is in nginx.conf or in the name of a file", async () => {
  const hostile = "SecRuleEngine On\nSecAction \"id:1001,phase:1,pass,nolog,msg:'../../x; } evil {'\""
  await put(app("hostile.test", { ...on, "modsecurity-snippet": hostile }))
  await answers("hostile.test", "/", 200)
  const dir = site.wick.runtimeDir
  expect(readFileSync(join(dir, "nginx.conf"), "utf8")).not.toContain("evil")
  // Files that are being written end in `.part`.
  const names = readdirSync(join(dir, "modsecurity")).map((name) => name.replace(/\.part$/, ""))
  expect(names.filter((name) => !/^([0-9a-f]{64}|state)\.json$/.test(name))).toEqual([])
})
