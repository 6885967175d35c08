// $NAME of `ingress_stream_log_line` beside what nginx writes by the same format.
import { mkdtempDisposableSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Client } from "../../../harness/ingress/passthrough.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { namedTargets, startStreams, streamsConf, UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"

const names = [
  "remote_addr",
  "remote_port",
  "time_local",
  "time_iso8601",
  "protocol",
  "status",
  "bytes_sent",
  "bytes_received",
  "session_time",
  "upstream_addr",
  "upstream_bytes_sent",
  "namespace",
  "proxy_upstream_name",
  "ingress_stream_refusal",
  "proxy_protocol_addr",
]
const format = `${names.map((name) => `${name}="\${${name}}"`).join(" and nothing else ")} $protocol$status`
const ways = ["default", "json", "none"]

/** Two formats for each way to escape: our line, and nginx's own. */
const formats = ways.map(
  (way) => `
    ingress_stream_log_line $line_${way} escape=${way} '${format}';
    log_format ours_${way} escape=none $line_${way};
    log_format nginx_${way} escape=${way} '${format}';`,
)

test("every line is the one that nginx would write, whatever becomes of a session", async () => {
  using dir = mkdtempDisposableSync(join(tmpdir(), "stream-log-line-"))
  const logs = ways.flatMap((way) => [`ours_${way}`, `nginx_${way}`])
  const lines = (name: string) => readFileSync(join(dir.path, name), "utf8").split("\n").filter(Boolean)
  await using streams = await startStreams({
    inStream: formats.join(""),
    inStreamServer: logs.map((name) => `access_log ${join(dir.path, name)} ${name};`).join("\n"),
  })
  await using targets = await namedTargets("a")
  await using datagrams = await UdpTarget.start((text) => [text])
  const alive = targets.map(({ address }) => address)

  const session = async (text: string) => {
    using client = new Client(streams.tcp)
    await client.send(text)
    await until("an answer, or the end", () => client.answer.length > 0 || client.socket.destroyed)
  }
  await session("nobody knows the port")
  await streams.serve("tcp", alive)
  await session("?")
  await session("x".repeat(100_000))
  await streams.serve("tcp", ["127.0.0.1:1", ...alive])
  for (let nth = 0; nth < 4; nth += 1) await session("some over a dead endpoint")
  await streams.serve("tcp", ["127.0.0.1:1"])
  await session("nobody is there")
  await streams.serve("tcp", alive, { stream: { accepts_proxy_protocol: true } })
  await session("PROXY TCP4 192.0.2.1 192.0.2.2 1000 2000\r\n?")
  await session("no header")
  await streams.serve("tcp", alive, { backend: { name: 'odd"\\ü' }, stream: { backend: 'odd"\\ü' } })
  await session("?")
  await streams.serve("udp", [datagrams.address], { stream: { responses: 1 } })
  using client = new UdpClient(streams.tcp)
  expect(await client.ask("?")).toEqual(["?"])

  for (const way of ways) {
    // Several workers write, each when it has seen the end of a session.
    await until("all sessions", () => lines(`nginx_${way}`).length >= 12)
    expect(lines(`ours_${way}`).sort()).toEqual(lines(`nginx_${way}`).sort())
    expect(lines(`ours_${way}`).length).toBe(12)
  }
})

test.each([
  ["ingress_stream_log_line line '$status';", "takes a variable's name first"],
  ["ingress_stream_log_line $line escape=all '$status';", "knows escape=default"],
  ["ingress_stream_log_line $line '$';", "invalid format"],
  ["ingress_stream_log_line $line '$no_such_variable';", 'unknown "no_such_variable" variable'],
  ["ingress_stream_log_line $line a; ingress_stream_log_line $line b;", 'duplicate "line" variable'],
])("%s is refused", async (inStream, why) => {
  const { ok, output } = await checkConf(streamsConf({ inStream }), { ports: 2 })
  expect([ok, output.includes(why)]).toEqual([false, true])
})
