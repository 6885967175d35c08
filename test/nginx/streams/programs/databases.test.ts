// PostgreSQL and Redis with their own clients.
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { selfSignedIdentity } from "../../../../harness/pki.ts"
import { until } from "../../../../harness/until.ts"
import { Program, packaged, run, succeeds } from "./program.ts"
import { listens, Served } from "./served.ts"

let served: Served
beforeAll(async () => {
  served = await Served.start({
    postgres: {},
    redis: { json: (service) => ({ service, loadBalance: "least_conn" }) },
  })
})
afterAll(() => served[Symbol.asyncDispose]())

/** PostgreSQL does not run as root. */
const asNobody = ["unshare", "--user", "--map-user=1000"]

async function startPostgres(data: string, port: number): Promise<Program> {
  const bin = "lib/postgresql/*/bin"
  const [unshare = "", ...words] = asNobody
  const made = ["--pgdata", data, "--auth=trust", "--username=tester", "--no-sync", "--locale=C"]
  await run(unshare, [...words, packaged(`${bin}/initdb`), ...made])
  const { pem, keyPem } = await selfSignedIdentity({ names: ["db.test"] })
  writeFileSync(join(data, "server.crt"), pem)
  writeFileSync(join(data, "server.key"), keyPem)
  chmodSync(join(data, "server.key"), 0o600)
  const options = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: data,
    ssl: "on",
    fsync: "off",
    jit: "off",
  }
  const words2 = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  return Program.start({
    program: packaged(`${bin}/postgres`),
    args: ["-D", data, "-p", String(port), ...words2],
    under: asNobody,
    isReady: () => succeeds(packaged(`${bin}/pg_isready`), ["-h", "127.0.0.1", "-p", String(port)]),
  })
}

test("PostgreSQL: TLS is negotiated within the connection, and many clients work at once", async () => {
  const { port, own } = served.place("postgres")
  await using _ = await startPostgres(join(served.dir, "postgres"), own)
  const bin = "lib/postgresql/*/bin"
  const to = `host=127.0.0.1 port=${port} user=tester dbname=postgres`
  const ask = (query: string, more = "") =>
    run(packaged(`${bin}/psql`), ["-XAt", "-c", query, `${to} ${more}`])
  const encrypted = "select ssl from pg_stat_ssl where pid = pg_backend_pid()"
  expect(await ask(encrypted, "sslmode=require")).toBe("t\n")
  expect(await ask(encrypted, "sslmode=disable")).toBe("f\n")
  expect((await ask("select repeat('x', 3000000)", "sslmode=require")).length).toBe(3_000_001)

  const bench = (...args: readonly string[]) =>
    run(packaged(`${bin}/pgbench`), [...args, `${to} sslmode=disable`])
  await bench("-i", "-q", "--unlogged-tables")
  expect(await bench("-c", "8", "-j", "2", "-t", "25")).toContain(
    "number of transactions actually processed: 200/200",
  )
})

test("Redis: commands, a subscriber, and connections that come and go", async () => {
  const { port, own } = served.place("redis")
  await using _ = await Program.start({
    program: packaged("bin/redis-check-rdb").replace("redis-check-rdb", "redis-server"),
    args: ["--port", String(own), "--bind", "127.0.0.1", "--save", "", "--dir", served.dir],
    isReady: () => listens(own),
  })
  const redis = (...args: readonly string[]) => run(packaged("bin/redis-cli"), ["-p", String(port), ...args])
  expect(await redis("set", "greeting", "hello")).toBe("OK\n")
  expect(await redis("get", "greeting")).toBe("hello\n")

  await using subscriber = await Program.start({
    program: packaged("bin/redis-cli"),
    args: ["-p", String(port), "subscribe", "news"],
    isReady: async () => (await redis("pubsub", "numsub", "news")) === "news\n1\n",
  })
  expect(await redis("publish", "news", "first")).toBe("1\n")
  await until("the message", () => subscriber.said.includes("first"))

  const load = ["-p", String(port), "-n", "2000", "-c", "20", "-k", "0", "-t", "ping_mbulk", "--csv"]
  expect(await run(packaged("bin/redis-benchmark"), load)).toContain("PING_MBULK")
  expect(await served.wick.metric("wick_stream_sessions_failed_total", `port="${port}"`)).toBe(0)
  expect(await served.wick.metric("wick_stream_sessions_total", `port="${port}"`)).toBeGreaterThanOrEqual(
    2000,
  )
})
