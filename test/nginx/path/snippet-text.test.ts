// What of an Ingress's snippets is text of nginx's configuration: in force for its own paths and hosts, one reload for equal texts, and left out
// alone, closed, when nginx refuses it.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

const onHost = (name: string, annotations: Readonly<Record<string, string>> = {}) =>
  ingress(`demo/${name}`, `${name}.test/ → app:80`, annotations)
const put = (...ingresses: ReturnType<typeof ingress>[]) =>
  site.put(...ingresses, ...site.service("app", "one"))

const ask = async (name: string, headers: Readonly<Record<string, string>> = {}) => {
  // The host comes first: until then nginx has the first block's buffers.
  const { status, body } = await site.wick.get("/", { headers: { host: `${name}.test`, ...headers } })
  return status === 200 ? body : String(status)
}
/** What needs a reload is in force some time after everything else. */
const answers = (
  ...expected: readonly (readonly [
    host: string,
    answer: string,
    headers?: Readonly<Record<string, string>>,
  ])[]
) =>
  until("the answers", async () => {
    for (const [host, answer, headers] of expected) if ((await ask(host, headers)) !== answer) return false
    return true
  })
const reloads = () => site.wick.metric("nginx_ingress_controller_success")

test("typed directives of a configuration-snippet are in force on its paths; equal ones are one location and one reload", async () => {
  await put(onHost("plain"))
  const before = await reloads()
  const text = { "configuration-snippet": "sub_filter one 'two; }';\nsub_filter_types *;" }
  await put(onHost("plain"), onHost("text", text))
  await answers(["text", "two; }"], ["plain", "one"])
  expect(await reloads()).toBe(before + 1)
  await put(onHost("plain"), onHost("text", text), onHost("again", text))
  expect(await ask("again")).toBe("two; }")
  expect(await reloads()).toBe(before + 1)
})

test("what only a server block can say is in force on the hosts of its Ingress", async () => {
  const large = { "x-large": "x".repeat(12_000) }
  await put(onHost("plain"), onHost("own", { "server-snippet": "large_client_header_buffers 4 32k;" }))
  await answers(["own", "one", large], ["plain", "400", large], ["plain", "one"], ["own", "one"])
  expect(site.wick.conf()).toContain("server_name own.test;")
  await put(onHost("plain"), onHost("own"))
  await answers(["own", "400", large])
})

test("a rule of the server block holds in one of its own, too", async () => {
  const text = "large_client_header_buffers 4 32k;\nlocation = / { return 418; }"
  await put(onHost("own", { "server-snippet": text }), onHost("plain"))
  await answers(["own", "418"], ["plain", "one"])
  await until("its block", () => site.wick.conf().includes("server_name own.test;"))
  await answers(["own", "418"])
})

test("what the operator takes away that a text needs keeps nothing else waiting", async () => {
  const zone = `proxy_cache_path ${site.wick.runtimeDir}/kept keys_zone=kept:1m;`
  await site.reconfigure({ "http-snippet": zone })
  const text = "proxy_cache kept;\nproxy_cache_valid 200 1m;\nsub_filter one two;\nsub_filter_types *;"
  await put(onHost("plain"), onHost("kept", { "proxy-buffering": "on", "configuration-snippet": text }))
  await until("its text", () => site.wick.conf().includes("proxy_cache kept;"))
  await answers(["kept", "two"])
  await site.reconfigure({})
  await until("a configuration without it", () => !site.wick.conf().includes("proxy_cache kept;"))
  await answers(["kept", "two"], ["plain", "one"])
  expect(await site.wick.metric("nginx_ingress_controller_config_last_reload_successful")).toBe(1)
})

test("raw text needs permission; without it the path is served or closed, by what it may keep out", async () => {
  await put(onHost("raw", { "configuration-snippet": "resolver 192.0.2.1;" }))
  expect(await ask("raw")).toBe("one")
  await until("the Problem", () => site.wick.log().includes("snippet-not-allowed"))
  expect(site.wick.conf()).not.toContain("192.0.2.1")
})

test("raw text that nginx refuses closes its own Ingress, and all others come through", async () => {
  await site.reconfigure({ "allow-snippet-annotations": "true", "annotations-risk-level": "Critical" })
  await put(
    onHost("plain"),
    onHost("good", { "configuration-snippet": "resolver 192.0.2.1;" }),
    onHost("bad", { "configuration-snippet": "resolver 192.0.2.1 no_such_parameter=1;" }),
  )
  await answers(["bad", "503"], ["good", "one"], ["plain", "one"])
  const problem = await until("the Problem", () => /^.*"location-refused".*\n/m.exec(site.wick.log())?.[0])
  expect(problem).toContain("no_such_parameter")
  expect(site.wick.conf()).toContain("            resolver 192.0.2.1;\n")
  const tries = await reloads()
  await put(
    onHost("plain"),
    onHost("bad", { "configuration-snippet": "resolver 192.0.2.1 no_such_parameter=1;" }),
  )
  expect([await ask("bad"), await reloads()]).toEqual(["503", tries])
  await put(onHost("plain"), onHost("bad"))
  await answers(["bad", "one"])
})

test("a server block that nginx refuses closes its hosts, and no others", async () => {
  await put(onHost("plain"), onHost("bad", { "server-snippet": "ssl_conf_command NoSuchCommand 1;" }))
  await answers(["bad", "503"], ["plain", "one"])
  await put(onHost("plain"), onHost("bad", { "server-snippet": "ssl_conf_command Options -SessionTicket;" }))
  await answers(["bad", "one"])
})
