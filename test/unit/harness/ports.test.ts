import { execFile } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseFlags } from "../../../controller/core/options/flags.ts"
import { reservedPorts } from "../../../controller/core/options/own-ports.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { freePorts, outside, type Span, takePort } from "../../../harness/ports.ts"

test.each<[Span, Span]>([
  [
    [32_768, 60_999],
    [10_300, 32_767],
  ],
  [
    [12_000, 50_000],
    [50_001, 65_535],
  ],
  // The kernel takes any: then the lock has to do.
  [
    [1024, 65_535],
    [10_300, 65_535],
  ],
])("beside the ephemeral range %j lies %j", (ephemeral, span) => {
  expect(outside(ephemeral)).toEqual(span)
})

test("none is one that wick has unless it is told another", () => {
  const command = parseFlags([])
  const reserved = command.kind === "run" ? reservedPorts(command.options) : []
  const [first] = outside([32_768, 60_999])
  expect(reserved.length).toBeGreaterThan(5)
  expect(reserved.filter(({ port }) => port >= first)).toEqual([])
})

test("none is one that the kernel gives away by itself", async () => {
  const [first = 0, last = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8")
    .split("\t")
    .map(Number)
  for (const port of await freePorts(100)) expect(port < first || port > last).toBe(true)
})

test("one that was given is given to nobody else, in this process or another", async () => {
  const [port = 0] = await freePorts(1)
  expect(await takePort(port)).toBe(false)
  expect(await elsewhere(`takePort(${port})`)).toBe("false")
})

test("a process that ends leaves its ports to others", async () => {
  expect(await takePort(Number(await elsewhere("freePorts(1)")))).toBe(true)
})

test.each([
  "0.0.0.0",
  "127.0.0.1",
  "127.9.9.9",
  "::1",
])("one on which somebody listens at %s is not free", async (host) => {
  const port = Number(await elsewhere("freePorts(1)"))
  const server = createServer().listen(port, host)
  await once(server, "listening")
  expect(await takePort(port)).toBe(false)
  server.close()
  await once(server, "close")
  expect(await takePort(port)).toBe(true)
})

/** What another process comes to, which has ended since. */
function elsewhere(expression: string): Promise<string> {
  const script = `
    import { freePorts, takePort } from ${JSON.stringify(join(root, "harness/ports.ts"))}
    console.log(String(await ${expression}))`
  return new Promise((resolve, reject) =>
    execFile(nodeBinary, ["--input-type=module", "--eval", script], (error, stdout) =>
      error ? reject(error) : resolve(stdout.trim()),
    ),
  )
}
