// Balancing policies of somebody else, from files to answers: on a real nginx with four workers, compiled by the real program. Who may bring one,
// what happens to those that are refused or fail, and that another version needs no reload.
import { statSync } from "node:fs"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { digestOf } from "../../../controller/input/policies/module.ts"
import { ingress, type Json, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { importsMore, picks, picksByConfig, picksByHeader, trapsOnNine } from "../../support/policies.ts"
import { runSubCommand } from "../../support/sub-command.ts"
import { Site } from "./site.ts"

const names = ["b0", "b1", "b2"]

let directory: string
let site: Site
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "policies-"))
  site = await Site.start(names, { flags: [`--policies=${directory}`] })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})
beforeEach(async () => {
  await remove("mine")
  allow("mine")
})

/** As the operator replaces it: nobody ever sees half of a file. */
async function install(name: string, bytes: Uint8Array): Promise<string> {
  await writeFile(join(directory, `.${name}`), bytes)
  await rename(join(directory, `.${name}`), join(directory, `${name}.wasm`))
  return digestOf(bytes)
}

const remove = (name: string) => rm(join(directory, `${name}.wasm`), { force: true })

function allow(policies: string, more: Readonly<Record<string, string>> = {}): void {
  site.configure({ policies, ...more })
}

const web = (policy: string): Json =>
  ingress("demo/web", "foo.test/ → web:80", {
    "load-balance": `wasm/${policy}`,
    "upstream-hash-by": "$arg_key",
  })

const use = (policy: string) => site.put(...site.service("web", ...names), web(policy))

/** The policy of the backend as nginx was posted it. */
async function posted(): Promise<{ name?: string; digest?: string }> {
  const { body } = await site.wick.control("GET", "/configuration/backends?name=demo-web-80")
  const [backend] = JSON.parse(body) as readonly { policy?: { name: string; digest: string } }[]
  return backend?.policy ?? {}
}

const inForce = (digest: string) =>
  until(`version ${digest.slice(0, 12)}`, async () => (await posted()).digest === digest)

const roundRobin = () => until("round robin", async () => (await posted()).name === undefined)

/** Requests with a key of four bytes, which the policies of this file tell from others. */
const answering = () => site.answering(24, {}, "/?key=four")

/** What the log says of a Problem, in whole or in part; each test has words of its own. */
const untilProblem = (code: string, words: string) =>
  until(`Problem ${code} about ${words}`, () => {
    const lines = site.wick.log().split("\n")
    return lines.some((line) => line.includes(`"${code}"`) && line.includes(words))
  })

describe("a policy", () => {
  test("chooses the endpoints of the backend that names it, and of no other", async () => {
    const digest = await install("mine", picks(1))
    await site.put(
      ...site.service("web", ...names),
      web("mine"),
      ...site.service("plain", ...names),
      ingress("demo/plain", "plain.test/ → plain:80"),
    )
    await inForce(digest)
    expect(await answering()).toEqual(["b1"])
    expect(await site.answering(24)).toEqual(["b0"])
    expect(await site.answering(60, { host: "plain.test" })).toEqual(names)
    await site.expectOnlyPosts()
  })

  test("is given keys of up to 4 KiB, and none in place of a longer one", async () => {
    await inForceAfter("mine", trapsOnNine(1, 4096))
    await site.put(...site.service("web", ...names), web("mine"))
    const ask = (bytes: number) => site.answering(24, {}, `/?key=${"k".repeat(bytes)}`)
    const faults = () => site.wick.metric("wick_policy_faults_total", 'policy="mine"')
    const before = await faults()
    expect([await ask(4097), await ask(4095)]).toEqual([["b0"], ["b0"]])
    expect(await faults()).toBe(before)
    await site.get(`/?key=${"k".repeat(4096)}`)
    await until("its fault", async () => (await faults()) > before)
  })

  test("is replaced by another file without a reload, from the answer of the post on", async () => {
    await inForceAfter("mine", picks(1))
    expect(await answering()).toEqual(["b1"])
    await inForceAfter("mine", picks(2))
    expect(await answering()).toEqual(["b2"])
    await site.expectOnlyPosts()
  })

  test("that is refused leaves the version before in force, and the Ingress hears why", async () => {
    const good = await inForceAfter("mine", picks(1))
    await install("mine", importsMore())
    await untilProblem("balancing-policy-refused", "env.system")
    expect(await posted()).toMatchObject({ name: "mine", digest: good })
    expect(await answering()).toEqual(["b1"])
  })

  test("that is refused at first is round robin", async () => {
    await install("fresh", importsMore())
    allow("mine\nfresh")
    await use("fresh")
    await untilProblem("balancing-policy-refused", '\\"fresh\\"')
    expect(await posted()).toEqual({})
    expect(await answering()).toEqual(names)
    await remove("fresh")
  })

  test("that is taken away is round robin", async () => {
    await inForceAfter("mine", picks(1))
    await remove("mine")
    await roundRobin()
    await untilProblem("balancing-policy-missing", '\\"mine\\"')
    expect(await answering()).toEqual(names)
  })

  test("may be in a ConfigMap", async () => {
    const bytes = picks(2)
    const modules = {
      ...settings("demo/modules", {}),
      binaryData: { "packed.wasm": Buffer.from(bytes).toString("base64") },
    }
    allow("packed", { "policies-configmap": "demo/modules" })
    await site.put(...site.service("web", ...names), web("packed"), modules)
    await inForce(digestOf(bytes))
    expect(await answering()).toEqual(["b2"])
  })
})

describe("a policy is told", () => {
  const configured = (config: string) =>
    site.put(
      ...site.service("web", ...names),
      ingress("demo/web", "foo.test/ → web:80", {
        "load-balance": "wasm/mine",
        "wick.dev/policy-config": config,
      }),
    )

  test("what its Ingress configures it with, and what that is changed to", async () => {
    const digest = await install("mine", picksByConfig())
    await configured("1")
    await inForce(digest)
    expect(await site.answering(24)).toEqual(["b1"])
    await configured("2\n")
    expect(await site.answering(24)).toEqual(["b2"])
    await site.expectOnlyPosts()
  })

  test("headers of a request that the operator lists, and no others", async () => {
    const question = { headers: { "X-Pick": "2" } }
    await inForceAfter("mine", picksByHeader())
    expect(await site.answering(24, question)).toEqual(["b0"])
    await site.reconfigure({ policies: "mine", "policy-readable-headers": "X-Pick" })
    expect(await site.answering(24, question)).toEqual(["b2"])
  })
})

describe("wick", () => {
  test("policies says what is in force, why, and what it did", async () => {
    const good = await inForceAfter("mine", picks(1))
    await answering()
    const policies = () => printed("policies")
    await until("its picks", async () => /mine +in force +\w{12} +1 +[1-9]\d* +0 +0 /.test(await policies()))
    const bad = await install("mine", importsMore())
    await until("the refusal", async () => (await policies()).includes("refused"))
    const said = JSON.parse(await printed("policies", "mine", "--json"))
    expect(said).toMatchObject({
      name: "mine",
      state: "refused",
      digest: good,
      moduleDigest: bad,
      users: ["demo-web-80"],
      reason: expect.stringContaining("env.system"),
    })
    expect(said.picks).toBeGreaterThan(23)
  })

  test("backends and explain name the policy of a backend, and its version", async () => {
    const digest = await inForceAfter("mine", picks(1))
    const line = `wasm/mine, version sha256:${digest.slice(0, 12)}`
    expect(await printed("backends", "demo-web-80")).toContain(line)
    expect(await printed("explain", "http://foo.test/")).toContain(line)
  })
})

describe("a tenant brings no code", () => {
  test("whose name the operator did not list", async () => {
    await install("stranger", picks(1))
    await use("stranger")
    await untilProblem("balancing-policy-forbidden", '\\"stranger\\"')
    expect([await posted(), await answering()]).toEqual([{}, names])
    await remove("stranger")
  })

  test("that is meant for other namespaces", async () => {
    await install("mine", picks(1))
    allow("mine namespaces=shop,cart")
    await use("mine")
    await untilProblem("balancing-policy-forbidden", "other namespaces")
    expect([await posted(), await answering()]).toEqual([{}, names])
    allow("mine namespaces=demo")
    await inForce(digestOf(picks(1)))
  })

  test("with another digest than the operator demands", async () => {
    const other = await install("mine", picks(1))
    const wanted = digestOf(picks(2))
    allow(`mine sha256:${wanted}`)
    await use("mine")
    await untilProblem("balancing-policy-refused", `sha256:${other}`)
    expect(await posted()).toEqual({})
    await install("mine", picks(2))
    await inForce(wanted)
  })
})

test("a policy that fails gives its place to the version before, and no request is lost", async () => {
  const good = await inForceAfter("mine", picks(1))
  await inForceAfter("mine", trapsOnNine(2))
  expect(await answering()).toEqual(["b2"])
  const rollbacks = () => site.wick.metric("wick_policy_rollbacks_total", 'policy="mine"')
  const before = await rollbacks()
  await until("the version before", async () => {
    const shares = await site.shares(24, {}, "/?key=the-fault")
    expect([...shares.keys()].filter((who) => !names.includes(who))).toEqual([])
    return (await posted()).digest === good
  })
  await untilProblem("balancing-policy-faulty", '\\"mine\\"')
  expect(await answering()).toEqual(["b1"])
  expect(await rollbacks()).toBe(before + 1)
  expect(await site.wick.metric("wick_policy_faults_total", 'policy="mine"')).toBeGreaterThan(5)
  expect(await site.wick.metric("wick_policy_picks_total", 'policy="mine"')).toBeGreaterThan(48)
  await inForceAfter("mine", picks(2))
  expect(await answering()).toEqual(["b2"])
})

test("a controller that starts again goes on with what was compiled, and with what was taken back", async () => {
  const good = await inForceAfter("mine", picks(1))
  const bad = await inForceAfter("mine", trapsOnNine(2))
  await until("the version before", async () => {
    await site.shares(24, {}, "/?key=the-fault")
    return (await posted()).digest === good
  })
  const compiled = () =>
    [good, bad].map((digest) => statSync(join(site.wick.runtimeDir, "policies", `${digest}.cwasm`)).mtimeMs)
  const before = compiled()
  await site.wick.kill()
  const who = new Set<string>()
  const asking = new AbortController()
  const asked = (async () => {
    while (!asking.signal.aborted) for (const one of await answering()) who.add(one)
  })()
  await site.wick.start()
  await until("what the controller knows", async () => (await printed("policies")).includes("rolled back"))
  asking.abort()
  await asked
  expect([...who]).toEqual(["b1"])
  expect([(await posted()).digest, compiled()]).toEqual([good, before])
})

/** Installs a version of a policy that `web` uses. @returns its digest, when it is in force */
async function inForceAfter(name: string, bytes: Uint8Array): Promise<string> {
  const digest = await install(name, bytes)
  if ((await posted().catch(() => ({}) as { name?: string })).name !== name) await use(name)
  await inForce(digest)
  return digest
}

/** What a command prints. */
async function printed(name: string, ...args: readonly string[]): Promise<string> {
  const { failure, said } = await runSubCommand(name, ...args, `--runtime-dir=${site.wick.runtimeDir}`)
  expect(failure).toBeUndefined()
  return said
}
