import { describe, expect, test } from "vitest"
import { aborted, sleep } from "../../../controller/support/abort.ts"
import { Channel } from "../../../controller/support/channel.ts"
import { Failure, reasonOf, systemCode } from "../../../controller/support/failure.ts"

describe("a channel", () => {
  test("delivers everything in order, what was sent before, between and while it is read, and ends when closed", async () => {
    const channel = new Channel<number>()
    channel.send(1)
    channel.send(2)
    const taken: number[] = []
    const reading = (async () => {
      for await (const value of channel) {
        taken.push(value)
        if (value === 2) channel.send(3)
        if (value === 3)
          setImmediate(() => {
            channel.send(4)
            channel.close()
          })
      }
    })()
    await reading
    expect(taken).toEqual([1, 2, 3, 4])
  })
})

describe("waiting", () => {
  test("ends early and without an error when the signal aborts", async () => {
    const abort = new AbortController()
    const waiting = Promise.all([sleep(60_000, abort.signal), aborted(abort.signal)])
    abort.abort()
    await waiting
    await sleep(60_000, abort.signal)
    await aborted(abort.signal)
  })
})

describe("errors", () => {
  test("keep their code and their cause", () => {
    const cause = Object.assign(new Error("in use"), { code: "EADDRINUSE" })
    const failure = new Failure("port-in-use", "Cannot listen", { cause })
    expect([failure.code, failure.message, failure.cause]).toEqual(["port-in-use", "Cannot listen", cause])
    expect([systemCode(cause), systemCode("x"), systemCode(Object.assign(new Error(), { code: 5 }))]).toEqual(
      ["EADDRINUSE", "", ""],
    )
    expect([reasonOf(cause), reasonOf("x")]).toEqual(["in use", "x"])
  })
})
