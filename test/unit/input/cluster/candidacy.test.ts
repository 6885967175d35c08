import { expect, test } from "vitest"
import type { Api } from "../../../../controller/input/cluster/api.ts"
import { takePart } from "../../../../controller/input/cluster/candidacy.ts"
import { until } from "../../../../harness/until.ts"

const identity = { controllerClass: "c", namespace: "ingress", pod: "wick-0" }
const log = { info() {}, warn() {} }

/** An API server where nobody else is. */
function quiet() {
  const sent: unknown[] = []
  const api: Api = {
    async send({ body }) {
      sent.push(body)
      return body ?? {}
    },
    async *watch() {},
  }
  return { api, sent }
}

function take(flags: Partial<Parameters<typeof takePart>[0]>) {
  const { api, sent } = quiet()
  const told: unknown[] = []
  const metrics = { leads: (...of: unknown[]) => void told.push(of) }
  const all = { disableLeaderElection: false, electionId: "l", electionTtl: 30_000, ...flags }
  return { ...takePart(all, { api, identity, metrics, log }), sent, told }
}

test("--disable-leader-election: no Lease, no metric", async () => {
  const { leadership, begin, close, sent, told } = take({ disableLeaderElection: true })
  begin()
  expect(leadership.isLeader).toBe(true)
  await close()
  expect([sent, told]).toEqual([[], []])
})

test.each([
  [30_000, 30],
  [0, 30],
  [-1000, 30],
  [1500, 2],
])("--election-ttl of %d ms is a Lease of %d s", async (electionTtl, leaseDurationSeconds) => {
  const { leadership, begin, close, sent, told } = take({ electionTtl })
  begin()
  await until("the Lease", () => leadership.isLeader)
  expect(sent).toContainEqual(
    expect.objectContaining({
      spec: expect.objectContaining({ holderIdentity: "wick-0", leaseDurationSeconds }),
    }),
  )
  await close()
  expect(told).toEqual([
    ["l", true],
    ["l", false],
  ])
})
