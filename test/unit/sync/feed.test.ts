import { setImmediate as turn } from "node:timers/promises"
import { afterEach, describe, expect, test } from "vitest"
import type { Batch, Named } from "../../../controller/input/provider/source.ts"
import { Channel } from "../../../controller/support/channel.ts"
import { Feed } from "../../../controller/sync/feed.ts"

const over: AbortController[] = []
afterEach(() => {
  for (const controller of over.splice(0)) controller.abort()
})

/** A feed into a store that is touched by everything; `passes` counts what was asked for. */
function feeding() {
  const controller = new AbortController()
  over.push(controller)
  const channel = new Channel<Batch>()
  controller.signal.addEventListener("abort", () => channel.close())
  const found = { passes: 0, came: 0, told: 0, applied: 0, named: undefined as Named | undefined }
  const feed = new Feed({
    source: {
      changes: (_, named) => {
        found.named = named
        return channel
      },
    },
    store: {
      apply: (changes) => {
        found.applied += changes.length
        return changes.length > 0
      },
      named: (kind) => new Set([kind]),
    },
    came: () => {
      found.came += 1
    },
    touched: () => {
      found.passes += 1
    },
    changed: () => {
      found.told += 1
    },
    signal: controller.signal,
  })
  const done = feed.run()
  const send = async (changes: number, synced: boolean) => {
    const change = { kind: "delete", key: { kind: "Ingress", namespace: "a", name: "b" } } as const
    channel.send({ changes: Array(changes).fill(change), synced })
    await turn()
  }
  const isSettled = async () => {
    let isSettled = false
    void feed.settled().then(() => {
      isSettled = true
    })
    await turn()
    return isSettled
  }
  return { feed, found, send, isSettled, abort: () => controller.abort(), done }
}

test("others are told of every batch after which everything is there", async () => {
  const { found, send } = feeding()
  const told = async (changes: number, synced: boolean) => {
    await send(changes, synced)
    return found.told
  }
  expect([await told(1, false), await told(1, true), await told(0, true), await told(1, false)]).toEqual([
    0, 1, 2, 2,
  ])
})

test("changes are noted when they come, from the first time on that everything is there", async () => {
  const { found, send } = feeding()
  await send(5, false)
  await send(0, true)
  expect(found.came).toBe(0)
  await send(2, false)
  await send(0, false)
  await send(1, true)
  expect(found.came).toBe(2)
})

describe("passes", () => {
  test("are asked for when everything is there, the first one even if that is nothing", async () => {
    const { found, send, isSettled } = feeding()
    await send(2, false)
    expect([found.passes, await isSettled()]).toEqual([0, false])
    await send(0, true)
    expect([found.passes, await isSettled()]).toEqual([1, true])
    const { found: nothing, send: sendNothing } = feeding()
    await sendNothing(0, true)
    expect(nothing.passes).toBe(1)
  })

  test("are asked for once by what came in parts, and not by what touches nothing", async () => {
    const { found, send, isSettled } = feeding()
    await send(0, true)
    await send(1, false)
    expect([found.passes, await isSettled()]).toEqual([1, false])
    await send(0, false)
    await send(0, true)
    expect([found.passes, found.applied, await isSettled()]).toEqual([2, 1, true])
    await send(0, false)
    await send(0, true)
    expect(found.passes).toBe(2)
  })

  test("that begin for other reasons wait, and those that wait at the end are told that nothing comes", async () => {
    const { feed, send, abort, done } = feeding()
    await send(0, true)
    await send(1, false)
    const waiting = feed.settled()
    abort()
    expect(await waiting).toBe(false)
    await done
  })
})

test("the source learns what the store names", () => {
  const { found } = feeding()
  expect(found.named?.("Secret")).toEqual(new Set(["Secret"]))
})
