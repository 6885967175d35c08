import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { backoffMs } from "../../../controller/support/backoff.ts"
import { passBackoff, Queue } from "../../../controller/support/queue.ts"
import { fakeNow } from "../../support/clock.ts"

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A queue whose passes last until they are told how to end. */
function controlled() {
  const passes: { succeed: () => void; fail: (error: Error) => void; startedMs: number }[] = []
  const failures: number[] = []
  const abort = new AbortController()
  const queue = new Queue({
    pass: () =>
      new Promise((succeed, fail) => {
        passes.push({ succeed, fail, startedMs: fakeNow() })
      }),
    failed: (_, retryMs) => failures.push(retryMs),
    signal: abort.signal,
    random: () => 0,
  })
  return { queue, passes, failures, abort }
}

/** Lets everything run that is due within so many milliseconds. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe("the queue", () => {
  test("merges whatever comes before a pass starts", async () => {
    const { queue, passes } = controlled()
    for (let i = 0; i < 300; i += 1) queue.request()
    await pass(1000)
    expect(passes).toHaveLength(1)
  })

  test("never runs two passes at once, and runs one more for all that came meanwhile", async () => {
    const { queue, passes } = controlled()
    queue.request()
    await pass(0)
    for (let i = 0; i < 300; i += 1) queue.request()
    await pass(1000)
    expect(passes).toHaveLength(1)
    passes[0]?.succeed()
    await pass(0)
    expect(passes).toHaveLength(2)
    passes[1]?.succeed()
    await pass(10_000)
    expect(passes).toHaveLength(2)
  })

  test("starts a pass at once, however shortly after the last", async () => {
    const { queue, passes } = controlled()
    for (let i = 0; i < 300; i += 1) {
      queue.request()
      await pass(0)
      passes[i]?.succeed()
      await pass(0)
    }
    expect(passes).toHaveLength(300)
    expect(fakeNow()).toBe(passes[0]?.startedMs)
  })

  test("tries a failed pass again after 5 ms, doubling, until one succeeds", async () => {
    const { queue, passes, failures } = controlled()
    queue.request()
    for (let i = 0; i < 4; i += 1) {
      await pass(5 * 2 ** Math.max(0, i - 1))
      passes[i]?.fail(new Error("x"))
      await pass(0)
    }
    expect(failures).toEqual([5, 10, 20, 40])
    await pass(40)
    passes[4]?.succeed()
    await pass(10_000)
    expect(passes).toHaveLength(5)
    queue.request()
    await pass(0)
    passes[5]?.fail(new Error("x"))
    await pass(0)
    expect(failures.at(-1)).toBe(5)
  })

  test("does not make a change wait for the retry of an earlier failure", async () => {
    const { queue, passes } = controlled()
    queue.request()
    for (let i = 0; i < 10; i += 1) {
      await pass(5 * 2 ** 10)
      passes[i]?.fail(new Error("x"))
      await pass(0)
    }
    const count = passes.length
    queue.request()
    await pass(0)
    expect(passes).toHaveLength(count + 1)
  })

  test("runs at most ten passes a second while they fail, after the first hundred", async () => {
    const { queue, passes } = controlled()
    queue.request()
    const from = fakeNow()
    while (fakeNow() < from + 20_000) {
      await pass(1)
      passes.at(-1)?.fail(new Error("x"))
      queue.request()
    }
    expect(passes.length).toBeGreaterThan(250)
    expect(passes.length).toBeLessThanOrEqual(302)
  })

  test("requestIn asks for a pass later, and any earlier one serves as well", async () => {
    const { queue, passes } = controlled()
    queue.requestIn(3000)
    queue.requestIn(5000)
    await pass(2999)
    expect(passes).toHaveLength(0)
    queue.request()
    await pass(0)
    expect(passes).toHaveLength(1)
    queue.requestIn(100)
    passes[0]?.succeed()
    await pass(99)
    expect(passes).toHaveLength(1)
    await pass(1)
    expect(passes).toHaveLength(2)
  })

  test("starts nothing after the signal; idle waits for the pass that runs", async () => {
    const { queue, passes, failures, abort } = controlled()
    queue.request()
    await pass(0)
    queue.request()
    abort.abort()
    let isIdle = false
    void queue.idle().then(() => {
      isIdle = true
    })
    await pass(0)
    expect(isIdle).toBe(false)
    passes[0]?.fail(new Error("x"))
    await pass(10_000)
    expect(isIdle).toBe(true)
    expect([passes.length, failures.length]).toEqual([1, 0])
    queue.request()
    await pass(10_000)
    expect(passes).toHaveLength(1)
  })
})

test("back-off doubles from 5 ms to 30 s, with up to a tenth of jitter", () => {
  expect([1, 2, 3, 13, 14, 1001].map((failures) => backoffMs(passBackoff, failures))).toEqual([
    5, 10, 20, 20_480, 30_000, 30_000,
  ])
  expect(backoffMs(passBackoff, 1, 0.999)).toBeCloseTo(5.5, 2)
})
