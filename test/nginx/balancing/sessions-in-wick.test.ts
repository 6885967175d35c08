// The whole of wick: sessions that begin under one controller and one configuration go on through everything that comes after.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import { ask } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { inSession, sessionOf } from "./support/sessions.ts"

const workers = 4
const modes = ["balanced", "persistent"] as const
type Mode = (typeof modes)[number]

let backends: Backends
let wick: Wick
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d", "canary")
  wick = await startWick({
    manifests: {
      "class.yaml": manifest(ingressClass),
      "settings.yaml": settingsFile(75),
      "services.yaml": services(backends.slice(0, 4)),
      "ingresses.yaml": manifest(...modes.map(sticky)),
    },
    flags: ["--configmap=shop/settings", "--sync-rate-limit=100"],
  })
  expect(wick.workers()).toHaveLength(workers)
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

/** A session of the host of each mode, and who serves it. */
type Session = { readonly mode: Mode; readonly session: string; readonly owner: string }
let sessions: readonly Session[]
beforeEach(async () => {
  sessions = await Promise.all([...modes, ...modes, ...modes].map(begin))
})

async function begin(mode: Mode): Promise<Session> {
  const answer = await wick.get("/", { host: `${mode}.test` })
  const session = sessionOf(answer)
  if (session === undefined) throw new Error(`No session began: ${answer.status} ${answer.body}`)
  return { mode, session, owner: answer.body }
}

/** So many connections that no worker is likely to miss them all. */
async function expectKept(): Promise<void> {
  for (const { mode, session, owner } of sessions) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => wick.get("/", { host: `${mode}.test`, headers: inSession(session) })),
    )
    const wrong = answers.filter((answer) => answer.body !== owner || sessionOf(answer) !== undefined)
    expect(wrong.map(({ status, body }) => `${mode}: ${status} ${body} instead of ${owner}`)).toEqual([])
  }
}

/** Does something while these sessions go on, and expects that all their requests meet their endpoints. */
async function during(work: () => Promise<void>): Promise<void> {
  const strays: string[] = []
  const load = startLoad({
    port: wick.port,
    connections: 4,
    question: (n) => {
      const { mode, session } = sessions[n % sessions.length] as Session
      return { host: `${mode}.test`, headers: inSession(session) }
    },
    onAnswer: (answer, _startedMs, question) => {
      const own = sessions.find(({ session }) => question.headers?.cookie === inSession(session).cookie)
      if (answer.body !== own?.owner) strays.push(`${answer.status} ${answer.body} instead of ${own?.owner}`)
    },
  })
  await work()
  await load.stop()
  expect(strays).toEqual([])
}

const reloads = () => wick.metric("nginx_ingress_controller_success")

describe("sessions go on while", () => {
  test("nginx reloads for a setting", () =>
    during(async () => {
      const before = await reloads()
      wick.write("settings.yaml", settingsFile(76))
      await until("the reload", async () => (await reloads()) > before)
      await expectKept()
    }))

  test("a worker is killed with -9", async () => {
    const [victim = 0] = wick.workers()
    signal(victim, "SIGKILL")
    await until("another worker", () => !isRunning(victim) && wick.workers().length === workers)
    await expectKept()
  })

  test("the controller is killed with -9, and the next one takes over", () =>
    during(async () => {
      const serving = wick.workers()
      await wick.kill()
      await expectKept()
      await wick.start()
      expect(wick.workers()).toEqual(serving)
      await expectKept()
    }))

  test("endpoints of others go", async () => {
    const gone = backends[0] as Backend
    wick.write("services.yaml", services(backends.slice(1, 4)))
    const added = () => ask({ port: wick.port }, { host: "persistent.test" })
    await until("the endpoint to be gone", async () => {
      const bodies = await Promise.all(Array.from({ length: 30 }, added))
      return !bodies.some(({ body }) => body === gone.name)
    })
    sessions = sessions.filter(({ owner }) => owner !== gone.name)
    await expectKept()
    wick.write("services.yaml", services(backends.slice(0, 4)))
    await until("it to be back", async () => (await added()).body === gone.name)
    await expectKept()
  })

  test("a canary takes all that is new, by a post", async () => {
    const before = await reloads()
    wick.write(
      "canary.yaml",
      manifest(...serviceOn("shop/canary", [backends[4]?.port ?? 0]), ...modes.map(canary)),
    )
    await until("the canaries", async () => {
      const answers = await Promise.all(modes.map((mode) => wick.get("/", { host: `${mode}.test` })))
      return answers.every(({ body }) => body === "canary")
    })
    await expectKept()
    expect(await reloads()).toBe(before)
  })
})

function settingsFile(keepAlive: number): string {
  return manifest(
    settings("shop/settings", { "worker-processes": String(workers), "keep-alive": String(keepAlive) }),
  )
}

function services(endpoints: readonly Backend[]): string {
  const ports = endpoints.map(({ port }) => port)
  return manifest(...modes.flatMap((mode) => serviceOn(`shop/${mode}`, ports)))
}

function sticky(mode: Mode) {
  return ingress(`shop/${mode}`, `${mode}.test/ → ${mode}:80`, {
    affinity: "cookie",
    "affinity-mode": mode,
    "session-cookie-expires": "3600",
  })
}

function canary(mode: Mode) {
  return ingress(`shop/${mode}-canary`, `${mode}.test/ → canary:80`, {
    canary: "true",
    "canary-weight": "100",
  })
}
