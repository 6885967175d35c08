import { setImmediate } from "node:timers/promises"
import { expect, onTestFinished, test } from "vitest"
import { Passes } from "../../../controller/run/passes.ts"
import { Failure } from "../../../controller/support/failure.ts"
import { until } from "../../../harness/until.ts"

test("a pass that was asked for begins when there is somebody to carry it out", async () => {
  const { promise: passed, resolve } = Promise.withResolvers<void>()
  const passes = new Passes(() => {}, new AbortController().signal)
  passes.request()
  await setImmediate()
  passes.begin({ pass: async () => resolve(), hasServed: () => true })
  await passed
  await passes.idle()
})

test("a failure is final before anything has served, a bug always", async () => {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  let hasServed = false
  let error: Error = new Failure("nginx-ended", "it has ended")
  let isFinal: boolean | undefined
  const passes = new Passes((_, final) => {
    isFinal = final
  }, end.signal)
  passes.begin({ pass: () => Promise.reject(error), hasServed: () => hasServed })
  passes.request()
  await until("it fails", () => isFinal === true)
  hasServed = true
  await until("it fails again", () => isFinal === false)
  error = new TypeError("a bug")
  await until("it fails for a bug", () => isFinal === true)
})

test("nobody waits for a pass of a start that was given up", async () => {
  const start = new AbortController()
  const passes = new Passes(() => expect.unreachable(), start.signal)
  passes.request()
  await setImmediate()
  start.abort()
  await passes.idle()
})
