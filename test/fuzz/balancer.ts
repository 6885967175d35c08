// The release balancer.wasm under damaged posts and damaged records: `build/node test/fuzz/balancer.ts SECONDS [SEED]`. A trap is a finding, and so
// is a post that is accepted although it is no JSON. Ends with 1 and the input when there is one.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"
import { Worker } from "../balancer/host.ts"
import { Zones } from "../balancer/zones.ts"
import { randomFrom } from "./support/random.ts"

const [seconds = 60, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const fixtures = join(root, "test/fixtures/wire")
const change = readFileSync(join(fixtures, "change.json"))
const records = readdirSync(fixtures)
  .filter((file) => file.endsWith(".hex"))
  .map((file) => Buffer.from(readFileSync(join(fixtures, file), "utf8").replace(/\s/g, ""), "hex"))

/** Where records lie, and what shows them. */
const places = [
  { key: "backends/x", path: "backends?name=x" },
  { key: "routes/main/x", path: "routes?host=x" },
  { key: "routes/:parts/x", path: "route_parts?id=x" },
  { key: "certificates/pairs/x", path: "certificates?id=x" },
  { key: "certificates/staples/x", path: "staples?certificate=x" },
  { key: "certificates/authorities/x", path: "authorities?id=x" },
  { key: "certificates/hosts/x", path: "tls_hosts?host=x" },
  { key: "passthroughs/x", path: "passthroughs?host=x" },
  { key: "routes/:streams/x", path: "streams?name=x" },
] as const

/** The one that the change of the fixtures builds on. */
const generation = {
  key: "backends/:generation",
  value: Buffer.from(JSON.parse(change.toString()).base),
  cas: 0,
}

/** What makes JSON interesting. */
const pieces =
  '{ } [ ] , : " \\ \\u d800 \\udc00 0 -0 1e5 .5 1e999 9007199254740993 true null \t \u0000 é \uffff'
    .split(" ")
    .map((piece) => Buffer.from(piece))
const odd = [
  ...pieces,
  Buffer.of(0xff),
  Buffer.of(0xc0, 0x80),
  Buffer.of(0xed, 0xa0, 0x80),
  Buffer.from("[".repeat(300)),
]

const { below, one } = randomFrom(seed)

/** The bytes with up to eight changes: another byte, something put in, cut out or copied from elsewhere. */
function damaged(bytes: Buffer, insert: () => Buffer): Buffer {
  let out = Buffer.from(bytes)
  for (let n = below(2) * below(8); n >= 0; n -= 1) {
    const at = below(out.length + 1)
    const end = Math.min(out.length, at + below(below(4) === 0 ? 400 : 8))
    const kind = below(4)
    if (kind === 0 && at < out.length) out[at] = below(256)
    else if (kind === 1) out = Buffer.concat([out.subarray(0, at), insert(), out.subarray(at)])
    else if (kind === 2) out = Buffer.concat([out.subarray(0, at), out.subarray(end)])
    else
      out = Buffer.concat([
        out.subarray(0, at),
        bytes.subarray(below(bytes.length)),
        out.subarray(end),
      ]).subarray(0, 65_536)
  }
  return out
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

/** What it does with a post: it answers, and accepts nothing that is not JSON. */
function post(worker: Worker): Buffer {
  const body = damaged(change, () => one(odd))
  input = body
  worker.zones.write([generation])
  const { status } = worker.post("/configuration/changes", body)
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status === 201 && !isJson(body)) throw new Error("accepted, and no JSON")
  return body
}

/** What it does with a record: it shows and uses it, or leaves it. */
function record(worker: Worker): void {
  const { key, path } = one(places)
  const bytes = damaged(one(records), () => Buffer.of(below(256), 0, 0, below(3)))
  input = bytes
  worker.zones.write([{ key, value: bytes, cas: 0 }])
  worker.get(`/configuration/${path}`)
  if (key !== "backends/x") return
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const choice = worker.select("x", attempt === 0 ? [] : [1])
    if (choice === undefined || !("tag" in choice)) return
    worker.inform("x", attempt, worker.said(), {
      outcome: below(5),
      status: 200,
      connectTime: 1n,
      firstByteTime: 2n,
    })
  }
}

let input: Buffer = Buffer.alloc(0)
const statuses = new Map<number, number>()
for (const [name, target] of Object.entries({ json: post, "balancer records": record })) {
  const until = performance.now() + seconds * 1000
  let count = 0
  let worker = new Worker({ zones: new Zones() })
  try {
    for (; performance.now() < until; count += 1) {
      if (count % 2000 === 1999) worker = new Worker({ zones: new Zones() })
      target(worker)
    }
  } catch (error) {
    process.stdout.write(`${name}: ${error}, seed ${seed}, input (base64): ${input.toString("base64")}\n`)
    process.exit(1)
  }
  process.stdout.write(`${name}: ${count} executions in ${seconds} s, seed ${seed}, no finding\n`)
}
process.stdout.write(
  `answers to posts: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(", ")}\n`,
)
