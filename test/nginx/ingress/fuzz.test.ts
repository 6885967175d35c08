// Whatever bytes lie in the zone, a worker answers and lives.
import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { startIngress } from "./support/ingress.ts"
import { recordOf } from "./support/records.ts"

/** Numbers from a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const whole = recordOf([
  { path: "/", namespace: "n", location_path: "/", readTimeoutMs: 1000, bodyBytes: 10 },
  { path: "/a/", match: "exact", status: 503 },
  { path: "/a/b", policy: "unknown" },
])

function damaged(below: (n: number) => number): Buffer {
  const bytes = Buffer.from(whole)
  for (let n = below(6); n >= 0; n -= 1) bytes[below(bytes.length)] = below(256)
  return below(4) === 0 ? bytes.subarray(0, below(bytes.length + 1)) : bytes
}

test("damaged and random records never end a worker", async () => {
  await using ingress = await startIngress({ policies: "location @plain { return 200 plain; }" })
  const workers = ingress.nginx.workers()
  const seed = randomBytes(4).readUInt32LE()
  const below = random(seed)
  const statuses = new Map<string, number>()
  for (let n = 0; n < 1500; n += 1) {
    const record =
      n % 5 === 0 ? Buffer.from(Array.from({ length: below(300) }, () => below(256))) : damaged(below)
    await ingress.write("main/a.test", record)
    const answer = await ingress.ask("a.test", ["/", "/a", "/a/", "/a/b/c", "/x"][below(5)])
    statuses.set(answer, (statuses.get(answer) ?? 0) + 1)
  }
  expect([seed, ingress.nginx.workers()]).toEqual([seed, workers])
  expect(ingress.nginx.errorLog()).not.toMatch(/panic|signal|\[alert\]/)
  // Both kinds must have come up, or the damage was of no use.
  expect(statuses.get("503")).toBeGreaterThan(100)
  expect(statuses.get("plain")).toBeGreaterThan(20)
}, 60_000)
