// What keeps requests out and cannot be done: 503, seen by a client. One nginx has a case of each kind, and beside each what stays open.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const configure = (keys: Readonly<Record<string, string>>) => site.configure(keys)

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

/** Host → annotations, and what a request gets. */
const cases: readonly (readonly [
  host: string,
  status: number,
  annotations: Readonly<Record<string, string>>,
])[] = [
  ["deny.test", 403, { "configuration-snippet": "deny all;" }],
  ["return.test", 403, { "configuration-snippet": "more_set_headers 'A: b';\nreturn 403;" }],
  // Without a file of users nginx asks nobody for a password.
  ["realm.test", 200, { "configuration-snippet": "auth_basic 'Staff';" }],
  ["basic.test", 503, { "configuration-snippet": "auth_basic_user_file /x;" }],
  ["lua.test", 503, { "configuration-snippet": "access_by_lua_block { ngx.exit(403) }" }],
  ["unknown.test", 503, { "configuration-snippet": "no_such_directive;" }],
  ["unreadable.test", 503, { "configuration-snippet": "more_set_headers 'A" }],
  ["headers.test", 200, { "configuration-snippet": "more_set_headers 'A: deny all;';" }],
  ["blank.test", 200, { "configuration-snippet": " " }],
  ["server.test", 503, { "server-snippet": "root /x;" }],
  ["buffers.test", 200, { "server-snippet": "client_header_buffer_size 8k;" }],
  ["firewall.test", 503, { "enable-modsecurity": "true", "modsecurity-snippet": "SecTmpDir /tmp" }],
  ["firewall-typo.test", 503, { "enable-modsecurity": "yes" }],
  ["no-firewall.test", 200, { "enable-modsecurity": "false" }],
  ["asks.test", 503, { "auth-url": "http://app.demo.svc/", "auth-snippet": "location /x { }" }],
  ["asks-more.test", 200, { "auth-url": "http://app.demo.svc/", "auth-snippet": "proxy_set_header A b;" }],
  ["asks-nobody.test", 200, { "auth-snippet": "proxy_set_header A b;" }],
  ["allow-empty.test", 503, { "allowlist-source-range": "" }],
  ["allow-blank.test", 503, { "allowlist-source-range": " " }],
  ["allow-old.test", 503, { "whitelist-source-range": "" }],
  ["allow-either.test", 200, { "allowlist-source-range": "", "whitelist-source-range": "127.0.0.0/8" }],
  ["deny-empty.test", 503, { "denylist-source-range": "" }],
  ["verify.test", 503, { "backend-protocol": "HTTPS", "proxy-ssl-verify": "on" }],
  ["verify-typo.test", 503, { "proxy-ssl-verify": "yes" }],
  ["verify-off.test", 200, { "proxy-ssl-verify": "off" }],
  ["ca-typo.test", 503, { "proxy-ssl-secret": "no such;" }],
  ["limit.test", 503, { "limit-rps": "many" }],
  ["auth.test", 503, { "auth-type": "none" }],
  ["auth-empty.test", 200, { "auth-type": "" }],
]

const objects = (): readonly Json[] => [
  ...site.service("app", "one"),
  ...cases.map(([host, , annotations]) => ingress(`demo/${host}`, `${host}/ → app:80`, annotations)),
  ingress("demo/beside", "server.test/beside → app:80"),
]

/** Backends that are spoken to by TLS need a reload. */
const answers = (question: { host: string }, status: number) =>
  until(`${question.host} to answer ${status}`, async () => (await site.get("/", question)).status === status)

describe("in the default configuration", () => {
  beforeAll(() => site.put(...objects()))

  test.each(cases)("%s answers %i", async (host, status) => {
    await answers({ host }, status)
  })

  test("a server-snippet closes what others of its namespace have on its host", async () => {
    expect((await site.get("/beside", { host: "server.test" })).status).toBe(503)
  })
})

describe("the operator", () => {
  const open = { host: "headers.test" }
  beforeAll(() => site.put(...objects()))

  test("closes everything by a snippet of the ConfigMap that may guard, and opens it by a key", async () => {
    configure({ "location-snippet": "root /x;" })
    await answers(open, 503)
    await answers({ host: "nobody.test" }, 503)
    configure({ "location-snippet": "root /x;", "unsupported-guards": "close-ingresses" })
    await answers(open, 200)
    expect((await site.get("/", { host: "lua.test" })).status).toBe(503)
  })

  test("closes everything but what is exempt by rules of ModSecurity that cannot be used", async () => {
    configure({ "enable-modsecurity": "true", "modsecurity-snippet": "SecTmpDir /tmp" })
    await answers(open, 503)
    expect((await site.get("/", { host: "no-firewall.test" })).status).toBe(200)
  })

  test("may let in whom snippets keep out", async () => {
    configure({ "unsupported-guards": "ignore" })
    await answers({ host: "lua.test" }, 200)
    await site.untilProblem("guard-ignored")
  })

  test("who is blocked by a list that is none is not let in", async () => {
    configure({ "block-cidrs": "192.0.2.0/24, typo" })
    await answers(open, 503)
    configure({})
    await answers(open, 200)
  })
})
