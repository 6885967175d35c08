// Certificates from Secrets to nginx and back: what the control API and `wick certificates` tell of them, that both live through the ends of
// processes, and that keys are told to nobody.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, ingressClass, type Json, manifest, secret, service } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { childrenOf, isRunning, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

let authority: Authority
let shop: Identity
let soon: Identity
let wick: Wick
beforeAll(async () => {
  authority = await (await rootAuthority()).intermediate()
  shop = await authority.issue({ names: ["*.shop.test", "shop.test", "a.test", "b.test"] })
  soon = await authority.issue({ names: ["soon.test"], until: inDays(5) })
  wick = await startWick({
    manifests: {
      "all.yaml": manifest(ingressClass, service("shop/web"), tlsIngress("soon"), secretOf("soon", soon)),
      "shop.yaml": manifest(tlsIngress("shop", "www.shop.test"), secretOf("shop", shop)),
    },
  })
})
afterAll(() => wick.stop())

function secretOf(name: string, identity: Identity): Json {
  return secret(`shop/${name}`, identity.tlsData())
}

/** Its host shows the certificate of the Secret that is called like it. */
function tlsIngress(name: string, host = `${name}.test`): Json {
  const { spec, ...rest } = ingress(`shop/${name}`, `${host}/ → web:80`) as { spec: object }
  return { ...rest, spec: { ...spec, tls: [{ hosts: [host], secretName: name }] } }
}

async function get(path: string): Promise<string> {
  return (await wick.control("GET", `/configuration/${path}`)).body
}

const names = async () => JSON.parse(await get("names"))

/** The leaf that serves a name, base64. */
async function leafOf(host: string): Promise<string | undefined> {
  const [tls] = JSON.parse(await get(`tls_hosts?host=${host}`))
  if (tls === undefined) return undefined
  const [certificate] = JSON.parse(await get(`certificates?id=${tls.certificates[0]}`))
  return certificate?.chain[0]
}

const base64 = ({ der }: Identity) => der.toString("base64")

async function look(...args: readonly string[]): Promise<string> {
  const words = [join(root, "controller/main.ts"), "certificates", ...args, "--runtime-dir", wick.runtimeDir]
  return (await promisify(execFile)(nodeBinary, words)).stdout
}

/** The private key in the forms in which it could slip out: as PEM has it, in one line, and as hexadecimal. */
function expectNoKey(text: string, { key }: Identity): void {
  const der = key.export({ type: "pkcs8", format: "der" })
  const secretPart = key.export({ format: "jwk" }).d ?? ""
  const raw = Buffer.from(secretPart, "base64url")
  for (const form of ["base64", "base64url", "hex", "latin1"] as const) {
    expect(text).not.toContain(der.subarray(30, 60).toString(form))
    expect(text).not.toContain(raw.toString(form))
  }
  for (const line of key.export({ type: "pkcs8", format: "pem" }).toString().split("\n").slice(1, -2)) {
    expect(text).not.toContain(line)
  }
}

describe("what is in force", () => {
  test("is what the Secrets bring", async () => {
    expect(await leafOf("www.shop.test")).toBe(base64(shop))
    expect(await leafOf("soon.test")).toBe(base64(soon))
    const pem = await get("certs?hostname=WWW.shop.test.")
    expect(pem).toBe(shop.chainPem)
  })

  test("is listed by `wick certificates`, which marks what runs out", async () => {
    const lines = (await look())
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/))
    expect(lines[0]).toEqual([
      "HOST",
      "CERTIFICATE",
      "NAMES",
      "NOT AFTER",
      "STAPLE UNTIL",
      "CLIENTS",
      "NOTES",
    ])
    const rows = new Map(
      lines.map(([host, , certificateNames, notAfter, , , notes]) => [
        host,
        [certificateNames, notAfter, notes],
      ]),
    )
    expect(rows.get("www.shop.test")).toEqual(["*.shop.test shop.test and 2 more", day(shop), undefined])
    expect(rows.get("soon.test")).toEqual(["soon.test", day(soon), "expires soon"])
  })

  test("is shown for one name, with its chain", async () => {
    const text = await look("www.shop.test")
    expect(text).toMatch(/^www\.shop\.test gets TLS host www\.shop\.test\n/)
    expect(text).toContain("names      *.shop.test shop.test a.test b.test\n")
    expect(text).toContain("chain      CN=Test intermediate\n")
    expect(text).toContain("key        ec prime256v1\n")
  })

  test("is printed as JSON, too", async () => {
    const { tls_hosts: hosts, passthroughs } = JSON.parse(await look("soon.test", "--json"))
    expect(hosts).toMatchObject([
      { host: "soon.test", certificates: [{ facts: { names: ["soon.test"], expiry: "soon" } }] },
    ])
    expect(passthroughs).toEqual([])
  })

  function day({ certificate }: Identity): string {
    return certificate.validToDate.toISOString().slice(0, 10)
  }
})

describe("it stays in force", () => {
  test("when the controller dies, and the next one finds another certificate", async () => {
    const before = await names()
    await wick.kill()
    const renewed = await authority.issue({ names: ["*.shop.test"] })
    wick.write("shop.yaml", manifest(tlsIngress("shop", "www.shop.test"), secretOf("shop", renewed)))
    expect(await leafOf("www.shop.test")).toBe(base64(shop))
    await wick.start()
    expect(await leafOf("www.shop.test")).toBe(base64(renewed))
    const after = await names()
    expect(after.certificates).toHaveLength(before.certificates.length)
    expect(after.tls_hosts).toEqual(before.tls_hosts)
    expect(await wick.metric("nginx_ingress_controller_success")).toBe(0)
    shop = renewed
  })

  test("when the generation is another one: everything is posted anew", async () => {
    await wick.control(
      "POST",
      "/configuration/changes",
      JSON.stringify({
        base: null,
        generation: "other",
        certificates: { set: [{ id: "stranger", chain: ["MAA="], key: "MAA=" }] },
        tls_hosts: { remove: ["soon.test"] },
      }),
    )
    expect((await names()).certificates).toContain("stranger")
    wick.write(
      "more.yaml",
      manifest(tlsIngress("soon", "soon.test"), ingress("shop/more", "more.test/ → web:80")),
    )
    await until("the stranger to be gone", async () => !(await names()).certificates.includes("stranger"))
    expect(await leafOf("soon.test")).toBe(base64(soon))
  })

  test("when a worker is killed", async () => {
    const [worker = 0] = wick.workers()
    signal(worker, "SIGKILL")
    await until("another worker", () => wick.workers().length > 0 && !wick.workers().includes(worker))
    expect(await leafOf("www.shop.test")).toBe(base64(shop))
    expect(await wick.metric("nginx_ingress_controller_success")).toBe(0)
  })

  test("when nginx dies: the next one gets it before it serves", async () => {
    const before = await names()
    const master = wick.nginxPid ?? 0
    const orphans = childrenOf(master)
    signal(master, "SIGKILL")
    await until("another nginx", () => wick.nginxPid !== undefined && wick.nginxPid !== master)
    // Until then one of them may be who answers on the control socket.
    await until("the orphans to end", () => !orphans.some(isRunning))
    await until("it to have everything", async () => {
      const now = await names().catch(() => undefined)
      return now?.tls_hosts.length === before.tls_hosts.length
    })
    expect(await leafOf("www.shop.test")).toBe(base64(shop))
  })
})

test("no key is in any answer, in what the command prints, or in a log", async () => {
  const lists = ["backends", "routes", "certificates", "staples", "authorities", "tls_hosts", "passthroughs"]
  const paths = ["names", "changes", "general", "certs?hostname=www.shop.test", ...lists]
  const bad = await wick.control(
    "POST",
    "/configuration/changes",
    JSON.stringify({
      base: null,
      generation: "g",
      certificates: {
        set: [
          {
            id: "a",
            chain: ["MAA="],
            key: `${shop.key.export({ type: "pkcs8", format: "der" }).toString("base64")} `,
          },
        ],
      },
    }),
  )
  expect(bad.status).toBe(400)
  const answers = await Promise.all(paths.map(get))
  const texts = [...answers, bad.body, wick.log(), await look(), await look("www.shop.test", "--json")]
  for (const text of texts) for (const identity of [shop, soon]) expectNoKey(text, identity)
})
