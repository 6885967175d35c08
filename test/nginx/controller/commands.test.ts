// The sub-commands against a wick that runs: each as people run it, and whatever it may be asked in this process, where no program has to start.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, ingressClass, manifest, service, slice } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { runSubCommand } from "../../support/sub-command.ts"

let wick: Wick
beforeAll(async () => {
  const objects = [
    ingressClass,
    service("shop/cart"),
    slice("shop/cart", ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"], 8080),
    service("shop/idle"),
    ingress("shop/cart", "shop.test/cart → cart:80", { "proxy-read-timeout": "5" }),
    ingress("shop/idle", "idle.test/ =→ idle:80"),
  ]
  wick = await startWick({ manifests: { "all.yaml": manifest(...objects) } })
})
afterAll(() => wick.stop())

/** Exit code and what was said. */
async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(nodeBinary, [
      join(root, "controller/main.ts"),
      ...args,
    ])
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

const runHere = (name: string, ...args: readonly string[]) =>
  runSubCommand(name, ...args, "--runtime-dir", wick.runtimeDir)

async function look(name: string, ...args: readonly string[]): Promise<string> {
  const { failure, said, exitCode } = await runHere(name, ...args)
  expect([failure, exitCode]).toEqual([undefined, 0])
  return said
}

const cells = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/))

test.each([
  ["routes"],
  ["backends", "shop-cart-80"],
  ["explain", "http://shop.test/cart/7"],
  ["conf"],
  ["dbg", "backends", "list"],
])("wick %s prints that, and ends with 0", async (name, ...args) => {
  const out = await look(name, ...args)
  expect(out).not.toBe("")
  expect(await run(name, ...args, "--runtime-dir", wick.runtimeDir)).toEqual({ code: 0, out, err: "" })
})

describe("wick routes", () => {
  test("lists all routes, one line each", async () => {
    const lines = cells(await look("routes"))
    expect(lines.map(([host, path, match, backend, owner]) => [host, path, match, backend, owner])).toEqual([
      ["HOST", "PATH", "MATCH", "BACKEND", "INGRESS"],
      ["_", "/", "prefix", "upstream-default-backend", "-"],
      ["_", "/healthz", "exact", "upstream-default-backend", "-"],
      ["_", "/nginx_status", "exact", "upstream-default-backend", "-"],
      ["idle.test", "/", "exact", "shop-idle-80", "shop/idle"],
      ["idle.test", "/", "prefix", "upstream-default-backend", "shop/idle"],
      ["shop.test", "/", "prefix", "upstream-default-backend", "shop/cart"],
      ["shop.test", "/cart", "prefix", "shop-cart-80", "shop/cart"],
    ])
    expect(lines.at(-1)?.at(-1)).toBe("proxy_read_timeout_ms=5000")
    expect(lines.find(([host]) => host === "idle.test")?.at(-1)).toBe("answers 503")
  })

  test("of one host, of one path, in any case", async () => {
    expect(cells(await look("routes", "SHOP.test"))).toHaveLength(3)
    expect(cells(await look("routes", "shop.test", "/cart"))).toHaveLength(2)
  })

  test("as JSON: the records", async () => {
    const [host] = JSON.parse(await look("routes", "shop.test", "/cart", "--json"))
    expect(host).toMatchObject({
      server: "main",
      host: "shop.test",
      routes: [{ path: "/cart", overrides: { proxy_read_timeout_ms: 5000 } }],
    })
  })

  test("says when there is none", async () => {
    const { code, out, err } = await run("routes", "none.test", "--runtime-dir", wick.runtimeDir)
    expect([code, out]).toEqual([1, ""])
    expect(err).toBe(
      'wick: There is no route of host "none.test" itself: wick explain none.test / says what serves it\n',
    )
  })
})

describe("wick backends", () => {
  test("lists all backends, one line each", async () => {
    expect(cells(await look("backends"))).toEqual([
      ["BACKEND", "ALGORITHM", "ENDPOINTS", "NOTES"],
      ["shop-cart-80", "round_robin", "10.0.0.1:8080 10.0.0.2:8080 10.0.0.3:8080 and 1 more"],
      ["shop-idle-80", "round_robin", "none"],
      ["upstream-default-backend", "round_robin", `127.0.0.1:${wick.defaultServerPort}`],
    ])
  })

  test("shows one with all its endpoints", async () => {
    expect((await look("backends", "shop-cart-80")).split("\n").slice(0, 3)).toEqual([
      "shop-cart-80  round_robin",
      "  10.0.0.1:8080",
      "  10.0.0.2:8080",
    ])
    expect(JSON.parse(await look("backends", "shop-cart-80", "--json"))).toMatchObject({
      name: "shop-cart-80",
    })
  })

  test("says when there is none", async () => {
    const { said, failure } = await runHere("backends", "none")
    expect([said, failure]).toEqual(["", 'There is no backend "none": wick backends lists them'])
  })
})

describe("wick explain", () => {
  test("says what serves a request, and why others do not", async () => {
    const lines = (await look("explain", "http://shop.test/cart/7")).trimEnd().split("\n")
    expect(lines.slice(0, 7).map((line) => line.trimEnd())).toEqual([
      "http://shop.test/cart/7 is served by Ingress shop/cart",
      "",
      "  host      shop.test (the host itself)",
      "  route     /cart (prefix, for /cart/7)",
      expect.stringContaining("  location  location-"),
      "  backend   shop-cart-80  round_robin",
      "              10.0.0.1:8080",
    ])
    expect(lines.slice(lines.indexOf("Not taken:") + 1)).toEqual([
      "  shop.test  /         prefix  shop/cart  is shorter",
      expect.stringMatching(/^ {2}_ +\d routes +shop.test has routes of its own$/),
      "",
      "The client gets what backend shop-cart-80 answers",
    ])
  })

  test("says what is answered instead of a backend", async () => {
    expect(await look("explain", "idle.test")).toContain(
      "http://idle.test/ is answered 503 by Ingress shop/idle\n",
    )
    expect(await look("explain", "idle.test", "--header", "Host: none.test", "--https")).toContain(
      "https://none.test/ is answered 404 by wick itself: no Ingress is meant\n",
    )
  })

  test("as JSON", async () => {
    expect(JSON.parse(await look("explain", "shop.test", "/cart", "--json"))).toMatchObject({
      outcome: { kind: "proxied", target: "/cart" },
      taken: { route: { backend: "shop-cart-80" }, backend: { "load-balance": "round_robin" } },
      notTaken: [{ route: { path: "/" }, why: "is shorter" }],
    })
  })
})

test("wick conf prints what nginx runs with", async () => {
  const { checksum, http } = JSON.parse(await look("conf", "--json"))
  expect(await look("conf")).toContain(`# Configuration checksum: ${checksum}\n`)
  expect(http).toMatchObject({ ports: { httpPort: wick.port } })
})

describe("wick dbg answers as ingress-nginx's /dbg", () => {
  test("backends all, list and get", async () => {
    const all = JSON.parse(await look("dbg", "backends", "all"))
    const [cart] = all.filter(({ name }: { name: string }) => name === "shop-cart-80")
    expect(cart.endpoints[0]).toMatchObject({ address: "10.0.0.1", port: "8080" })
    expect((await look("dbg", "backends", "list")).split("\n")).toContain("shop-cart-80")
    expect(JSON.parse(await look("dbg", "backends", "get", "shop-cart-80"))).toEqual(cart)
  })

  test("conf and general, with the flag of its port", async () => {
    const said = await look("dbg", "conf", "--status-port", "10246")
    expect(said.slice(0, wick.conf().length)).toBe(wick.conf())
    expect(await look("dbg", "general")).toBe("{}\n")
  })

  test("conf has each host between the lines that conf --host of the plugin looks for", async () => {
    const [, after = ""] = (await look("dbg", "conf")).split("## start server shop.test\n")
    const [block = ""] = after.split("## end server shop.test\n")
    expect(block).toMatch(/# shop\.test +\/cart +prefix +shop-cart-80 +shop\/cart/)
    expect(block.split("\n").filter((line) => line !== "" && !line.startsWith("# "))).toEqual([])
    expect(block).not.toContain("idle.test")
  })

  test("says what it does not know", async () => {
    const failure = async (...words: string[]) => (await runHere("dbg", ...words)).failure
    expect(await failure("backends", "get", "none")).toBe("A backend of the name none was not found")
    expect(await failure("certs", "get", "none.test")).toContain('No certificate in force serves "none.test"')
    for (const words of [["lua"], ["backends", "some"], ["certs", "list"], []])
      expect(await failure(...words)).toContain("wick dbg --help")
  })
})

test("the version names wick, the commit and nginx", async () => {
  expect(await run("--version")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^wick \d+\.\d+\.\d+ \(nginx \d+\.\d+\.\d+\)\n$/),
  })
})

test("nothing runs there: one sentence, and 1", async () => {
  const { code, out, err } = await run("routes", `--runtime-dir=${wick.manifestsDir}`)
  expect([code, out]).toEqual([1, ""])
  expect(err).toBe(
    `wick: Cannot find a running wick in "${wick.manifestsDir}" (nothing runs there): name the one of a running wick with --runtime-dir\n`,
  )
})

test("a reader who has seen enough is no error", async () => {
  const command = `${nodeBinary} ${join(root, "controller/main.ts")} routes --runtime-dir ${wick.runtimeDir} | true`
  const { stderr } = await promisify(execFile)("bash", ["-c", `set -o pipefail; ${command}`])
  expect(stderr).toBe("")
})
