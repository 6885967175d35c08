import assert from "node:assert/strict"
import { test } from "node:test"
import { policy } from "wick-policy/testing"

const says = (value: string) => ({ headers: { "endpoint-load-metrics": value } })
const share = (backend: { pick(): number }, of: number) =>
  Array.from({ length: 2000 }, () => backend.pick()).filter((index) => index === of).length / 2000
const isAbout = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 0.05, `${value}`)

test("an endpoint that is 80 % busy gets a fifth of what an idle one gets", async () => {
  const backend = await policy({ endpoints: 2 })
  isAbout(share(backend, 0), 1 / 2)
  backend.report({ endpoint: 0, ...says("TEXT cpu_utilization=0.1,application_utilization=0.8") })
  isAbout(share(backend, 0), 1 / 6)
})

test("JSON will do, and so will the processor's load alone", async () => {
  const backend = await policy({ endpoints: 2 })
  backend.report({ endpoint: 1, ...says('JSON {"cpu_utilization":0.5}') })
  isAbout(share(backend, 1), 1 / 3)
})

test("a busy endpoint keeps a few requests, and old reports are forgotten", async () => {
  const backend = await policy({ endpoints: 2 })
  backend.report({ endpoint: 0, ...says("TEXT application_utilization=7.5") })
  isAbout(share(backend, 0), 1 / 21)
  backend.wait(11_000)
  isAbout(share(backend, 0), 1 / 2)
})

test("all workers know what one was told", async () => {
  const backend = await policy({ endpoints: 2 })
  backend.report({ endpoint: 0, ...says("TEXT application_utilization=0.9") })
  isAbout(share(backend.worker(), 0), 1 / 11)
})

test("nonsense changes nothing", async () => {
  const backend = await policy({ endpoints: 2 })
  for (const text of [
    "",
    "TEXT",
    "application_utilization",
    "application_utilization=-3",
    "application_utilization=x",
  ]) {
    backend.report({ endpoint: 0, ...says(text) })
  }
  isAbout(share(backend, 0), 1 / 2)
})
