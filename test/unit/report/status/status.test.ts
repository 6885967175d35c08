import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { parseFlags } from "../../../../controller/core/options/flags.ts"
import { alone } from "../../../../controller/input/provider/leadership.ts"
import { noGatewayObjects } from "../../../../controller/model/gateway-objects.ts"
import { keepStatus } from "../../../../controller/report/status/status.ts"
import { clusterOf, pod } from "./cluster.ts"
import { FakeGatewayStatuses, FakeStatuses } from "./statuses.ts"

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What is written to an Ingress that the process finds, and when it stops. */
async function written(flags: readonly string[], own = { namespace: "ingress", name: "wick-0" }) {
  const command = parseFlags(flags)
  if (command.kind !== "run") throw new Error(JSON.stringify(command))
  const statuses = new FakeStatuses()
  statuses.seen.set("shop/cart", [])
  const meta = { namespace: "shop", name: "cart", uid: "", createdMs: 0, labels: {}, annotations: {} }
  const empty = { endpointSlices: new Map(), secrets: new Map(), configMaps: new Map(), problems: [] }
  const objects = { ...empty, gateway: noGatewayObjects, ...clusterOf(pod("wick-0")) }
  const ingresses = [{ kind: "Ingress", meta, rules: [], tls: [] }] as const
  const status = keepStatus({
    options: command.options,
    pod: own,
    provider: { statuses: { Ingress: statuses, gatewayApi: new FakeGatewayStatuses() }, leadership: alone },
    snapshot: () => ({ ...objects, ingresses }),
    failed: (error) => expect.unreachable(String(error)),
    log: { info: vi.fn(), warn: vi.fn() },
  })
  status.changed()
  await vi.advanceTimersByTimeAsync(1000)
  const running = statuses.take().length
  await status.stop()
  await status.withdraw(new AbortController().signal)
  return { running, stopping: statuses.take().length }
}

const address = "--publish-status-address=192.0.2.1"

describe("the status", () => {
  test.each([
    ["by default", [address], 1, 1],
    ["with --update-status-on-shutdown=false", [address, "--update-status-on-shutdown=false"], 1, 0],
    ["for manifests, where nobody reads it", [address, "--manifests=/objects"], 1, 0],
    ["with --update-status=false", [address, "--update-status=false"], 0, 0],
    ["with --disable-leader-election", [address, "--disable-leader-election"], 0, 0],
  ])("%s", async (_, flags, running, stopping) => {
    expect(await written(flags)).toEqual({ running, stopping })
  })

  test("is nobody's without addresses and without a Pod whose Node could have one", async () => {
    const nowhere = { namespace: "", name: "" }
    expect(await written([address], nowhere)).toMatchObject({ running: 1 })
    expect(await written([], nowhere)).toEqual({ running: 0, stopping: 0 })
  })
})
