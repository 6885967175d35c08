// Checks of a route in the access phase: beside those of its location they are combined as nginx combines its own, and what cannot be read closes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { AccessRule } from "../../../controller/model/access.ts"
import { keptMs } from "../../../harness/http.ts"
import { CRITICAL, field } from "../../../harness/ingress/field.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { addressListOf, type Route, recordOf } from "../../../harness/ingress/records.ts"
import { recordOf as sealed } from "../../../wire/encode.ts"

const inside = "127.0.0.0/8"
const outside = "18.0.0.0/8"

async function lists(ingress: Ingress): Promise<void> {
  await ingress.write(":addresses/has", addressListOf(["192.0.2.1/32", inside]))
  await ingress.write(":addresses/has-not", addressListOf([outside, "192.0.2.1/32"]))
}

const lines = (ingress: Ingress, text: string) =>
  ingress.nginx
    .errorLog()
    .split("\n")
    .filter((line) => line.includes(text))

/** Served by the content handler, so that the access phase comes before it. */
const served = "try_files /x =204; error_page 403 =403 @refused;"

describe("rules in order, as nginx's own directives have them", () => {
  const lists = [
    "deny all",
    "allow all",
    "allow unix:; deny all",
    "deny unix:; deny 18.0.0.0/8",
    "deny 18.0.0.0/8",
    "allow 18.0.0.0/8; deny all",
    "allow 127.0.0.0/8; deny all",
    "deny 127.0.0.1/32; allow all",
    "allow 127.0.0.1/32; deny 127.0.0.0/8",
    "deny 127.0.0.1/31; allow 127.0.0.0/8; deny all",
    "allow 126.0.0.0/7; deny 0.0.0.0/0",
  ]
  const rulesOf = (text: string): AccessRule[] =>
    text.split("; ").map((line) => {
      const [action, from = ""] = line.split(" ")
      return { action: action === "allow" ? "allow" : "deny", from }
    })

  let dir: string
  let ingress: Ingress
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "wick-access-"))
    writeFileSync(join(dir, "users"), "a:{PLAIN}secret\n")
    const basic = `auth_basic "closed"; auth_basic_user_file ${dir}/users;`
    const each = (make: (list: string, at: number) => string) => lists.map(make).join("\n")
    const all = (["all", "any"] as const).map(
      (satisfy) => `
        location @${satisfy} { satisfy ${satisfy}; ${basic} try_files /x =204; }
        ${each((list, at) => `location @oracle-${satisfy}-${at} { satisfy ${satisfy}; ${list}; ${basic} try_files /x =204; }`)}`,
    )
    ingress = await startIngress({ locations: all.join("\n") })
  })
  afterAll(async () => {
    await ingress[Symbol.asyncDispose]()
    rmSync(dir, { recursive: true })
  })

  test.each(
    lists.flatMap((list, at) => (["all", "any"] as const).map((satisfy) => ({ list, at, satisfy }))),
  )("$list, satisfy $satisfy", async ({ list, at, satisfy }) => {
    await ingress.route("ours.test", [{ location: satisfy, access: { satisfy, rules: rulesOf(list) } }])
    await ingress.route("oracle.test", [{ location: `oracle-${satisfy}-${at}` }])
    for (const user of [undefined, "a:secret", "a:wrong"]) {
      const headers: Record<string, string> =
        user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` }
      const answer = async (host: string) => {
        const { status, headers: back } = await ingress.nginx.get("/", { host, headers })
        return [status, back["www-authenticate"]]
      }
      expect(await answer("ours.test"), user).toEqual(await answer("oracle.test"))
    }
  })

  test("a damaged rule closes its host", async () => {
    const route = (rule: Buffer) =>
      sealed(
        3,
        field(
          6,
          Buffer.concat([
            ...[field(1, "/"), field(2, Buffer.of(1)), field(3, "all"), field(4, "b")],
            field(17 + CRITICAL, field(7 + CRITICAL, rule)),
          ]),
        ),
      )
    for (const rule of [Buffer.of(), Buffer.of(3), Buffer.of(1, 1), Buffer.of(1, 33, 0, 0, 0, 0)]) {
      await ingress.write("main/damaged.test", route(rule))
      expect(await ingress.ask("damaged.test")).toBe("503")
    }
  })
})

describe("nginx's own directives are the oracle", () => {
  const rules = ["none", "has", "has-not"] as const
  const combinations = rules.flatMap((allow) =>
    rules.flatMap((deny) => (["all", "any"] as const).map((satisfy) => ({ allow, deny, satisfy }))),
  )
  const networks = { none: "", has: inside, "has-not": outside }
  const nameOf = ({ allow, deny, satisfy }: (typeof combinations)[number]) => `${allow}-${deny}-${satisfy}`

  let dir: string
  let ingress: Ingress
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "wick-access-"))
    writeFileSync(join(dir, "users"), "a:{PLAIN}secret\n")
    const basic = `auth_basic "closed"; auth_basic_user_file ${dir}/users;`
    const oracles = combinations.map((combination) => {
      const { allow, deny, satisfy } = combination
      const denied = deny === "none" ? "" : `deny ${networks[deny]};`
      const allowed = allow === "none" ? "" : `allow ${networks[allow]}; deny all;`
      return `location @oracle-${nameOf(combination)} { satisfy ${satisfy}; ${denied} ${allowed} ${basic} try_files /x =204; }`
    })
    ingress = await startIngress({
      locations: `
        location @all { satisfy all; ${basic} try_files /x =204; }
        location @any { satisfy any; ${basic} try_files /x =204; }
        ${oracles.join("\n")}`,
    })
    await lists(ingress)
  })
  afterAll(async () => {
    await ingress[Symbol.asyncDispose]()
    rmSync(dir, { recursive: true })
  })

  test.each(combinations)("allow $allow, deny $deny, satisfy $satisfy", async (combination) => {
    const { allow, deny, satisfy } = combination
    const access = {
      ...(allow !== "none" && { allow }),
      ...(deny !== "none" && { deny }),
      satisfy,
    }
    const hasChecks = allow !== "none" || deny !== "none"
    await ingress.route("ours.test", [{ location: satisfy, ...(hasChecks && { access }) }])
    await ingress.route("oracle.test", [{ location: `oracle-${nameOf(combination)}` }])
    for (const user of [undefined, "a:secret", "a:wrong"]) {
      const headers: Record<string, string> =
        user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` }
      const answer = async (host: string) => {
        const { status, headers: back } = await ingress.nginx.get("/", { host, headers })
        return [status, back["www-authenticate"]]
      }
      expect(await answer("ours.test"), user).toEqual(await answer("oracle.test"))
    }
  })
})

describe("what cannot be read", () => {
  const guarded: Route = { path: "/guarded", backend: "guarded", access: { allow: "list" } }
  const open: Route = { path: "/", backend: "open" }

  test("a list that is not there, or is none, closes the host until both are right", async () => {
    await using ingress = await startIngress()
    const broken: readonly (readonly [Uint8Array | undefined, string])[] = [
      [undefined, "a part of it is not there"],
      [Buffer.of(4, 0, 0, 0), "its version 4 is unknown"],
      [addressListOf([]), "a required field is missing"],
      [addressListOf(["10.0.0.0/33"]), "a field has an impossible value"],
    ]
    for (const [list, why] of broken) {
      await ingress.write(":addresses/list", list)
      await ingress.route("a.test", [guarded, open])
      for (const path of ["/guarded", "/"]) expect(await ingress.ask("a.test", path), why).toBe("503")
    }
    const said =
      'Cannot serve host "a.test", path "/guarded": the record of its host: a part of it is not there'
    expect(lines(ingress, "Cannot serve")).toEqual([expect.stringContaining(said)])
    await ingress.write(":addresses/list", addressListOf([inside]))
    await ingress.route("a.test", [guarded, open])
    expect(await ingress.ask("a.test", "/guarded")).toBe("/ guarded")
  })

  test("a check of a time to come closes its route, and no other one", async () => {
    await using ingress = await startIngress()
    const newer = Buffer.concat([
      field(1, "/guarded"),
      field(2, Buffer.of(1)),
      field(3, "plain"),
      field(4, "guarded"),
      field(17 + CRITICAL, field(126 + CRITICAL, "newer")),
    ])
    const plain = recordOf([open])
    const fields = Buffer.concat([plain.subarray(4), field(6, newer)])
    await ingress.write("main/a.test", field(plain[0] ?? 0, fields))
    expect(await ingress.ask("a.test", "/guarded")).toBe("503")
    expect(await ingress.ask("a.test", "/")).toBe("/ open")
  })

  test("an access without any check closes the host", async () => {
    await using ingress = await startIngress()
    await ingress.route("a.test", [{ access: {} }])
    expect(await ingress.ask("a.test")).toBe("503")
  })
})

test("a refusal is said as nginx says it, and its error page is not refused", async () => {
  await using ingress = await startIngress({
    locations: `location @guarded { ${served} } location @refused { return 403 "page of $proxy_upstream_name"; }`,
  })
  await lists(ingress)
  await ingress.route("a.test", [{ location: "guarded", backend: "b", access: { allow: "has-not" } }])
  const { status, body } = await ingress.nginx.get("/", { host: "a.test" })
  expect([status, body]).toEqual([403, "page of b"])
  expect(lines(ingress, "access forbidden by rule")).toHaveLength(1)
})

test("X-Accel-Redirect leads to the checks of the route that it names", async () => {
  const server = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
    response.setHeader("X-Accel-Redirect", String(request.headers["x-to"]))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await using ingress = await startIngress({
    locations: `location @proxy { proxy_pass http://127.0.0.1:${port}; } location @guarded { ${served} } location @refused { return 403; }`,
  })
  await lists(ingress)
  const routes = (allow: string): Route[] => [
    { path: "/", location: "proxy", access: { allow } },
    { path: "/in", location: "guarded", access: { allow: "has" } },
    { path: "/out", location: "guarded", access: { allow: "has-not" } },
    { path: "/open", location: "guarded" },
  ]
  const ask = (to: string) => ingress.ask("a.test", "/", { "x-to": to })
  try {
    await ingress.route("a.test", routes("has"))
    expect([await ask("/in"), await ask("/out"), await ask("/open")]).toEqual(["204", "403", "204"])
    await ingress.route("a.test", routes("has-not"))
    expect(await ask("/open")).toBe("403")
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test("a mirrored request is the client's: its subrequest is not checked, and a refused one is not mirrored", async () => {
  await using ingress = await startIngress({
    http: `server { listen unix:mirror.sock; access_log mirror.log; location / { return 204; } }`,
    locations: `
      location @mirrored { mirror /_mirror; try_files /x =204; }
      location = /_mirror { internal; proxy_pass http://unix:mirror.sock; }
      ${answering("plain", "$uri")}`,
  })
  await lists(ingress)
  for (const [allow, status] of [
    ["has-not", "403"],
    ["has", "204"],
  ] as const) {
    await ingress.route("a.test", [{ location: "mirrored", access: { allow } }])
    expect(await ingress.ask("a.test")).toBe(status)
  }
  expect(lines(ingress, "access forbidden by rule")).toHaveLength(1)
})
