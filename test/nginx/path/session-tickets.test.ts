// Session tickets on a real nginx: a new key ends no session, and an old one does not stay for ever.
import { randomBytes } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { ingress, secret } from "../../../harness/manifests.ts"
import { selfSignedIdentity } from "../../../harness/pki.ts"
import { only, shake } from "../../../harness/shake.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

/** A host with a certificate of its own, as most have. */
const servername = "foo.test"
const versions = ["TLSv1.2", "TLSv1.3"] as const
type Sessions = readonly (Buffer | undefined)[]

let site: Site
beforeAll(async () => {
  site = await Site.start(["a"])
  const identity = await selfSignedIdentity({ names: [servername] })
  const { spec, ...rest } = ingress("demo/one", `${servername}/ → a:80`) as { spec: object }
  const own = { ...rest, spec: { ...spec, tls: [{ hosts: [servername], secretName: "own" }] } }
  await site.put(...site.service("a", "a"), secret("demo/own", identity.tlsData()), own)
})
afterAll(() => site[Symbol.asyncDispose]())

const newKey = () => randomBytes(80).toString("base64")
/** Nothing but tickets: the workers remember no sessions. */
const settings = (key: string) => ({
  "ssl-session-cache": "false",
  "ssl-session-tickets": "true",
  "ssl-session-ticket-key": key,
})
const use = (key: string, more: Readonly<Record<string, string>> = {}) =>
  site.reconfigure({ ...settings(key), ...more })

/** One of each version. */
const newSessions = (): Promise<Sessions> =>
  Promise.all(
    versions.map(
      async (version) => (await shake(site.wick.httpsPort, { ...only(version), servername })).session,
    ),
  )

/** Whether each of them is resumed. */
const resumed = (sessions: Sessions): Promise<readonly boolean[]> =>
  Promise.all(
    sessions.map(async (session, at) => {
      const options = { ...only(versions[at] ?? "TLSv1.3"), servername, session }
      return (await shake(site.wick.httpsPort, options)).isResumed
    }),
  )

const secretsDir = () => join(site.wick.runtimeDir, "secrets")
const keyFiles = () => readdirSync(secretsDir()).filter((name) => name.endsWith(".key"))

describe("with a new key", () => {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  let ofFirst: Sessions
  let ofSecond: Sessions
  beforeAll(async () => {
    await use(first)
    ofFirst = await newSessions()
    expect(await resumed(ofFirst)).toEqual([true, true])
    await use(second)
  })

  test("sessions from before are resumed", async () => {
    expect(await resumed(ofFirst)).toEqual([true, true])
  })

  test("neither key is anywhere but in its file, which nobody else may read", async () => {
    const files = keyFiles()
    expect(files).toHaveLength(2)
    for (const file of files) {
      const { mode, size } = statSync(join(secretsDir(), file))
      expect([mode & 0o777, size]).toEqual([0o600, 80])
    }
    for (const key of [first, second]) {
      expect(site.wick.log()).not.toContain(key)
      expect(site.wick.conf()).not.toContain(key)
    }
  })

  test("another controller keeps both, and reloads nothing", async () => {
    const conf = site.wick.conf()
    await site.wick.kill()
    await site.wick.start()
    await until("a pass", async () => (await site.wick.metric("nginx_ingress_controller_config_hash")) > 0)
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(0)
    expect(site.wick.conf()).toBe(conf)
    expect(await resumed(ofFirst)).toEqual([true, true])
  })

  test("a value that is no key changes nothing", async () => {
    await use("c2VjcmV0")
    await site.untilProblem("value-refused")
    expect(await resumed(ofFirst)).toEqual([true, true])
  })

  test("and a third, sessions of the first are not", async () => {
    ofSecond = await newSessions()
    await use(third)
    expect(await resumed(ofSecond)).toEqual([true, true])
    expect(await resumed(ofFirst)).toEqual([false, false])
    expect(keyFiles()).toHaveLength(2)
  })

  test("that is taken back, those of both are resumed", async () => {
    const ofThird = await newSessions()
    await use(second)
    expect(await resumed(ofSecond)).toEqual([true, true])
    expect(await resumed(ofThird)).toEqual([true, true])
  })

  test("without any key all sessions end, and no file is left", async () => {
    await use("")
    expect(await resumed(ofSecond)).toEqual([false, false])
    expect(keyFiles()).toEqual([])
  })
})

describe("when no ticket of the key before can be good any more", () => {
  beforeEach(() => use(newKey(), { "ssl-session-timeout": "5s" }))

  test("that goes by itself", async () => {
    // From now on: on a busy machine its time may be over when the change is known to be in force.
    const both = until("both keys", () => keyFiles().length === 2)
    await use(newKey(), { "ssl-session-timeout": "5s" })
    await both
    await until("the key before to be gone", () => keyFiles().length === 1)
    expect(site.wick.conf().match(/ssl_session_ticket_key/g)).toHaveLength(1)
  })
})

test("without tickets the key lies nowhere", async () => {
  await site.reconfigure({ ...settings(newKey()), "ssl-session-tickets": "false" })
  expect(keyFiles()).toEqual([])
})
