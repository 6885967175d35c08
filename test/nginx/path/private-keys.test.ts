// The private key of a Secret that hosts show is in memory only: in no file, no log, no metric, no answer of the control API and no output of a
// command, also when things go wrong.
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress, secret, withTls } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { shownChain } from "../../../harness/shake.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let ec: Identity
let rsa: Identity

beforeAll(async () => {
  const authority = await rootAuthority()
  ec = await authority.issue({ names: ["foo.test"] })
  rsa = await authority.issue({ names: ["foo.test"], key: "rsa" })
  site = await Site.start(["a"], { flags: ["--v=5"] })
})
afterAll(() => site[Symbol.asyncDispose]())

/** What of the keys nobody knows, as bytes: the numbers that they are made of. */
function secretsOf({ key }: Identity): Buffer[] {
  const { d = "", p = "", q = "" } = key.export({ format: "jwk" })
  return [d, p, q].filter((number) => number !== "").map((number) => Buffer.from(number, "base64url"))
}

/** Pieces of 16 characters or more that show in a text, whatever the line breaks, that it has the key. */
function tracesOf(identity: Identity): (string | Buffer)[] {
  const numbers = secretsOf(identity).map((number) => number.subarray(4, 24))
  // Base64 has one of three forms, depending on where the bytes begin in it.
  const in64 = numbers.flatMap((number) =>
    [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), number])
        .toString("base64")
        .slice(4, 24),
    ),
  )
  const inHex = numbers.flatMap((number) => [number.toString("hex"), number.toString("hex").toUpperCase()])
  return [...numbers, ...in64, ...inHex]
}

function hasTrace(bytes: Buffer): boolean {
  const text = bytes
    .toString("latin1")
    .replaceAll(/\s|\\n|\\r/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
  return [ec, rsa].flatMap(tracesOf).some((trace) => bytes.includes(trace) || text.includes(String(trace)))
}

function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const run = async (...args: readonly string[]) => {
  const all = [join(root, "controller/main.ts"), ...args, `--runtime-dir=${site.wick.runtimeDir}`]
  const { stdout, stderr } = await promisify(execFile)(nodeBinary, all).catch((error: object) => ({
    stdout: "",
    stderr: "",
    ...error,
  }))
  return stdout + stderr
}

/** Of everything that anybody could look at, the names of what has a trace of a key. */
async function whereTheyAre(): Promise<string[]> {
  const socketPath = join(site.wick.runtimeDir, "control/control.sock")
  const get = async (path: string) => (await ask({ socketPath }, { path })).body
  const health = { port: site.wick.healthPort }
  const things: Record<string, string | Buffer> = {
    log: site.wick.log(),
    metrics: (await ask(health, { path: "/metrics" })).body,
    "GET names": await get("/configuration/names"),
    "GET certificates": await get("/configuration/certificates"),
    "GET tls_hosts": await get("/configuration/tls_hosts"),
    "GET certs": await get("/configuration/certs?hostname=foo.test"),
  }
  for (const pid of [site.wick.pid, site.wick.nginxPid ?? 0, ...site.wick.workers()])
    for (const file of ["cmdline", "environ"]) things[`${pid} ${file}`] = readFileSync(`/proc/${pid}/${file}`)
  for (const file of filesUnder(site.wick.runtimeDir)) things[file] = readFileSync(file)
  return traced(things)
}

const traced = (things: Record<string, string | Buffer>) =>
  Object.entries(things).flatMap(([name, thing]) => (hasTrace(Buffer.from(thing)) ? [name] : []))

test("a key would be found in each of its forms", () => {
  for (const { key, keyPem } of [ec, rsa]) {
    const der = key.export({ type: "pkcs8", format: "der" })
    const forms = [keyPem, JSON.stringify(keyPem), der, der.toString("base64"), der.toString("hex")]
    for (const form of forms) expect(hasTrace(Buffer.from(form))).toBe(true)
    expect(hasTrace(Buffer.from(key.export({ format: "jwk" }).d ?? ""))).toBe(true)
  }
  expect(hasTrace(Buffer.from(ec.pem + rsa.pem))).toBe(false)
})

test("while they are served, after bad changes, a reload and a restart of the controller", async () => {
  const foo = withTls(ingress("demo/foo", "foo.test/ → a:80"), "foo.test=ec", "foo.test=rsa")
  const good = [secret("demo/ec", ec.tlsData()), secret("demo/rsa", rsa.tlsData())]
  const isServed = async () => {
    const [leaf] = await shownChain(site.wick.httpsPort, { servername: "foo.test" })
    return leaf?.equals(ec.der) === true
  }
  await site.put(...site.service("a", "a"), foo, ...good)
  expect(await isServed()).toBe(true)
  expect(await whereTheyAre()).toEqual([])

  // The key of the other, half of it, and where the certificate should be.
  for (const data of [
    { "tls.crt": ec.pem, "tls.key": rsa.keyPem },
    { "tls.crt": ec.pem, "tls.key": ec.keyPem.slice(0, -60) },
    { "tls.crt": rsa.keyPem, "tls.key": ec.keyPem },
  ]) {
    await site.put(...site.service("a", "a"), foo, ...good.slice(1), secret("demo/ec", data))
    expect(await isServed()).toBe(true)
  }
  await site.reconfigure({ "keep-alive": "33" })
  expect(await whereTheyAre()).toEqual([])

  await site.put(...site.service("a", "a"), foo, ...good)
  await site.wick.kill()
  await site.wick.start()
  await until("the certificate to be shown again", isServed)
  expect(await whereTheyAre()).toEqual([])

  const commands = [["conf"], ["routes"], ["backends"], ["explain", "https://foo.test/"]]
  const outputs = await Promise.all(commands.map(async (args) => [args[0], await run(...args)]))
  expect(outputs.filter(([, output]) => output === "")).toEqual([])
  expect(traced(Object.fromEntries(outputs))).toEqual([])
})
