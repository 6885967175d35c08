// $NAME of `ingress_log_line` beside what nginx writes by the same format.
import { mkdtempDisposableSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { answering, startIngress } from "../../../harness/ingress/ingress.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { rawRequest } from "./support/raw.ts"

const names = [
  "remote_addr",
  "remote_user",
  "time_local",
  "request",
  "status",
  "body_bytes_sent",
  "bytes_sent",
  "http_referer",
  "http_user_agent",
  "request_length",
  "request_time",
  "upstream_addr",
  "upstream_response_length",
  "upstream_response_time",
  "upstream_status",
  "arg_x",
  "uri",
  "pipe",
  "connection_requests",
]
const format = `${names.map((name) => `${name}="\${${name}}"`).join(" and nothing else ")} $scheme$host`
const ways = ["default", "json", "none"]

/** Two formats for each way to escape: our line, and nginx's own. */
const formats = ways.map(
  (way) => `
    ingress_log_line $line_${way} escape=${way} '${format}';
    log_format ours_${way} escape=none $line_${way};
    log_format nginx_${way} escape=${way} '${format}';`,
)
const logs = (dir: string) =>
  ways
    .flatMap((way) => [`ours_${way}`, `nginx_${way}`])
    .map((name) => `access_log ${join(dir, name)} ${name};`)

test("every line is the one that nginx would write, whatever clients send and backends answer", async () => {
  await using backends = await startBackends("one", "two")
  const [one, two] = backends.map(({ port }) => port)
  using dir = mkdtempDisposableSync(join(tmpdir(), "log-line-"))
  await using ingress = await startIngress({
    http: `${formats.join("")}
      client_header_timeout 5s;
      upstream several { server 127.0.0.1:1; server 127.0.0.1:${one}; }`,
    locations: `${logs(dir.path).join("\n")}
      ${answering("plain", "answer $arg_x")}
      location @proxied { proxy_pass http://127.0.0.1:${two}; }
      location @dead { proxy_pass http://127.0.0.1:1; }
      location @several { proxy_pass http://several; }
      location @missing { error_page 404 =418 /nowhere; return 404; }`,
    tls: " ",
  })
  const locations = ["plain", "proxied", "dead", "several", "missing"]
  await ingress.route(
    "a.test",
    locations.map((location) => ({ path: `/${location}`, location })),
  )
  const odd = ['"quoted" \\ back', "tab\there", "ü\x7f\x01ÿ", "", "plain text that is a bit longer"]
  for (const location of locations) {
    for (const value of odd) {
      const headers = [`Referer: ${value}`, `User-Agent: ${value}`, "Authorization: Basic Zm9vIjpiYXI="]
      const line = `GET /${location}?x="${encodeURI(value)}\\ HTTP/1.1`
      await rawRequest(
        ingress.port,
        `${[line, "Host: a.test", ...headers].join("\r\n")}\r\nConnection: close\r\n\r\n`,
      )
    }
  }
  const broken = [
    "GET",
    "\x16\x03\x01",
    "GET / HTTP/9.9\r\n\r\n",
    "GET /plain\r\n",
    'G"T /plain HTTP/1.0\r\n\r\n',
  ]
  await Promise.all(broken.map((text) => rawRequest(ingress.port, text)))
  await using h2 = await TlsClient.connect(ingress.tlsPort, { servername: "a.test", protocol: "h2" })
  await h2.ask({ host: "a.test", path: "/proxied?x=%22" })

  await ingress.ask("a.test", "/plain?the-end")
  const lines = (name: string) => readFileSync(join(dir.path, name), "latin1").split("\n").filter(Boolean)
  for (const way of ways) {
    await until("the last request", () => lines(`nginx_${way}`).at(-1)?.includes("the-end"))
    expect(lines(`ours_${way}`)).toEqual(lines(`nginx_${way}`))
    expect(lines(`ours_${way}`).length).toBeGreaterThan(locations.length * odd.length)
  }
})

test.each([
  ["ingress_log_line line '$status';", "takes a variable's name first"],
  ["ingress_log_line $line escape=all '$status';", "knows escape=default"],
  ["ingress_log_line $line '$';", "invalid format"],
  ["ingress_log_line $line '${status';", "invalid format"],
  ["ingress_log_line $line '$no_such_variable';", 'unknown "no_such_variable" variable'],
  ["ingress_log_line $line a; ingress_log_line $line b;", 'duplicate "line" variable'],
])("%s is refused", async (http, why) => {
  await expect(startIngress({ http })).rejects.toThrow(why)
})
