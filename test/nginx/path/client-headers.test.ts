// What a client may not say in the place of a proxy, or of wick: to no backend of any protocol, no authentication service, no mirror and no error page, in no
// spelling. Generated over all names that wick or its checks set, and all spellings that a backend may fold together.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Asked, Echo } from "../../../harness/echo.ts"
import { GrpcServer } from "../../../harness/grpc.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { type FastCgiRequest, FastCgiServer } from "../../support/fastcgi.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

const backend = new Echo()
const service = new Echo()
const mirror = new Echo()
const page = new Echo()
let asCgi: FastCgiRequest | undefined
const fastcgi = new FastCgiServer((request) => {
  asCgi = request
  return "Content-Type: text/plain\r\n\r\nok"
})
const grpc = new GrpcServer("grpc")
let site: Site

const host = "foo.test"
const call = "/echo/say"
const everywhere = ["/", "/cgi", call, "/asks"]
beforeAll(async () => {
  await Promise.all([backend, service, mirror, page, fastcgi, grpc].map((it) => it.start()))
  site = await Site.start([])
  await site.put(
    ingress("demo/open", `${host}/ → app:80`, { "mirror-target": `http://127.0.0.1:${mirror.port}` }, 1),
    ingress(
      "demo/asks",
      `${host}/asks → app:80`,
      {
        "auth-url": "http://auth.demo.svc.cluster.local/verify",
        "auth-response-headers": "X-User-Name, X-User-Group",
        "custom-http-errors": "403",
        "default-backend": "page",
      },
      2,
    ),
    ingress("demo/cgi", `${host}/cgi → cgi:80`, { "backend-protocol": "FCGI" }, 3),
    ingress("demo/grpc", `${host}${call} → grpc:80`, { "backend-protocol": "GRPC" }, 4),
    ...serviceOn("demo/app", [backend.port]),
    ...serviceOn("demo/grpc", [grpc.port]),
    ...serviceOn("demo/auth", [service.port]),
    ...serviceOn("demo/page", [page.port]),
    ...serviceOn("demo/cgi", [fastcgi.port]),
  )
  for (const path of everywhere)
    await until(`${path} to be served`, async () => (await site.get(path)).status === 200)
})
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await Promise.all([backend, service, mirror, page, fastcgi, grpc].map((it) => it[Symbol.asyncDispose]()))
})

const evil = "evil.test"

/** Of a family that says what a proxy knows. */
const told = [
  "Forwarded",
  "X-Forwarded",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Port",
  "X-Forwarded-Proto",
  "X-Forwarded-Scheme",
  "X-Forwarded-Prefix",
  "X-Forwarded-Server",
  "X-Forwarded-Ssl",
  "X-Forwarded-Uri",
  "X-Forwarded-Method",
  "X-Forwarded-Path",
  "X-Forwarded-User",
  "X-Forwarded-By",
  "X-Forwarded-Client-Cert",
  "X-Forwarded-Tls-Client-Cert",
  "X-Forwarded-Anything-Else",
  "X-Original-Forwarded-For",
  "X-Original-Forwarded-Host",
  "X-Original-Url",
  "X-Original-Uri",
  "X-Original-Host",
  "X-Original-Method",
  "X-Original-Proto",
  "X-Rewrite-Url",
  "X-Real-IP",
  "X-Scheme",
  "X-Url-Scheme",
  "Front-End-Https",
]

/** That no client may send. */
const nobodys = [
  "Proxy",
  "HTTP2-Settings",
  "ssl-client-verify",
  "ssl-client-subject-dn",
  "ssl-client-issuer-dn",
  "ssl-client-cert",
  "ssl-client-anything",
]

/** In which the client's own word is passed on, as it is documented, under a name that says so. */
const isTold = (name: string, value: string) =>
  /^x-original-forwarded-(for|host)$/i.test(name.replaceAll("_", "-")) && !value.includes("original")

const cases: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) =>
    [...name].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join(""),
]

/** Each dash as each of the others. */
function folded(name: string, signs: readonly string[]): string[] {
  const dashes = name.split("-").length - 1
  const all = signs.flatMap((sign) => [
    name.replaceAll("-", sign),
    name.replace("-", sign),
    ...Array.from({ length: dashes }, (_, at) => replaceNth(name, at, sign)),
  ])
  return [...new Set(all)].filter((spelled) => spelled !== name)
}

function replaceNth(name: string, nth: number, sign: string): string {
  let at = -1
  return name.replaceAll("-", (dash) => {
    at += 1
    return at === nth ? sign : dash
  })
}

const get = (path: string, headers: readonly string[]) =>
  rawRequest(
    site.wick.port,
    `${[`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...headers].join("\r\n")}\r\n\r\n`,
  )

/** What of a request somebody was given by the client. */
function leaked({ headers }: Pick<Asked, "headers">): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => String(value).includes(evil) && !isTold(name, String(value)))
    .map(([name]) => name)
}

const leakedToCgi = (): string[] =>
  [...(asCgi?.params ?? [])]
    .filter(([name, value]) => value.includes(evil) && !isTold(name.replace("HTTP_", ""), value))
    .map(([name]) => name)

const asked = { backend, service, mirror, page }

/** Names under which anybody was given what the client said under `names`: by a path that nobody is asked about, by FastCGI, and by one that is guarded. */
async function leaks(names: readonly string[], paths: readonly string[] = everywhere): Promise<string[]> {
  for (const it of Object.values(asked)) it.asked.length = 0
  asCgi = undefined
  grpc.lastHeaders = {}
  service.answer = () => ({ status: 200 })
  const lines = names.map((name) => `${name}: ${/original/i.test(name) ? "original." : ""}${evil}`)
  for (const path of paths) expect(await get(path, lines), path).toMatch(/^HTTP\/1.1 200/)
  if (paths.includes("/")) await until("the copy", () => mirror.asked.length > 0)
  service.answer = () => ({ status: 403 })
  await get("/asks", lines)
  expect(page.asked.length).toBeGreaterThan(0)
  const found = Object.entries(asked).flatMap(([who, it]) =>
    it.asked.flatMap(leaked).map((name) => `${who}: ${name}`),
  )
  const byGrpc = leaked({ headers: grpc.lastHeaders }).map((name) => `grpc: ${name}`)
  return [...found, ...byGrpc, ...leakedToCgi().map((name) => `cgi: ${name}`)]
}

describe("by default", () => {
  test.each([...told, ...nobodys])("%s of a client reaches nobody, in no case", async (name) => {
    for (const spell of cases) expect(await leaks([spell(name)]), spell(name)).toEqual([])
  })

  test("all of them at once do not", async () => {
    expect(await leaks([...told, ...nobodys])).toEqual([])
  })
})

describe.each([
  ["enable-underscores-in-headers", { "enable-underscores-in-headers": "true" }, ["_"]],
  ["ignore-invalid-headers", { "ignore-invalid-headers": "false" }, ["_", ".", "~", "!", "+"]],
] as const)("with %s", (_, settings, signs) => {
  beforeAll(() => site.reconfigure(settings))

  const names = [...told, ...nobodys, "X-Request-ID", "X-Code", "Content-Length", "Transfer-Encoding"]

  test.each(
    names.filter((name) => name.includes("-")),
  )("no other spelling of %s reaches anybody", async (name) => {
    expect(await leaks(folded(name, signs))).toEqual([])
  })

  test.each([
    "X-User-Name",
    "X-User-Group",
  ])("where a service sets %s, no other spelling reaches anybody", async (name) => {
    expect(await leaks(folded(name, signs), ["/asks"])).toEqual([])
  })

  test("headers of others do", async () => {
    for (const path of ["/", call]) expect(await get(path, ["X_Other: x"])).toMatch(/^HTTP\/1.1 200/)
    for (const { headers } of [backend.last, { headers: grpc.lastHeaders }])
      expect(headers).toHaveProperty("x_other")
  })
})
