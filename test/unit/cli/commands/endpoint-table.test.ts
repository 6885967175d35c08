import { expect, test } from "vitest"
import {
  endpointRows,
  percent,
  secondsText,
  shownEndpoints,
  stateNotes,
} from "../../../../cli/commands/endpoint-table.ts"
import type { EndpointState } from "../../../../controller/model/endpoint-state.ts"

const backend = {
  name: "shop-80",
  "load-balance": "ewma",
  endpoints: [
    { address: "10.0.0.1", port: "80", weight: 1 },
    { address: "2001:db8::1", port: "80", weight: 5 },
  ],
}
const counts = [
  {
    backend: "shop-80",
    endpoint: "[2001:db8::1]:80",
    attempts: 800,
    failures: { connect: 8, timeout: 2 },
    responses: 790,
    responseSeconds: 79,
  },
]
const state = (...endpoints: readonly EndpointState[]) => ({ name: "shop-80", algorithm: "ewma", endpoints })
const rows = (known: Parameters<typeof shownEndpoints>[1]) =>
  endpointRows(shownEndpoints(backend, known), known.counts !== undefined)

test("without anything known there are no columns", () => {
  expect(rows({})).toBeUndefined()
  expect(rows({ state: state({ endpoint: "10.0.0.1:80", weight: 1 }) })).toBeUndefined()
})

test("what was counted is found by the endpoint's address", () => {
  expect(rows({ counts })).toEqual([
    ["ENDPOINT", "ATTEMPTS", "FAILED", "RESPONSE"],
    ["10.0.0.1:80", "0", "-", "-"],
    ["[2001:db8::1]:80 weight 5", "800", "10 (1.3 %): connect 8, timeout 2", "100 ms"],
  ])
})

test("of what balancing knows there are the columns that it knows something for", () => {
  const one = { endpoint: "10.0.0.1:80", weight: 1, scoreSeconds: 0.0123, failures: 2, ejectedMs: 19_500 }
  expect(rows({ state: state(one, { endpoint: "[2001:db8::1]:80", weight: 5, scoreSeconds: 0 }) })).toEqual([
    ["ENDPOINT", "EWMA", "NOTES"],
    ["10.0.0.1:80", "12.3 ms", "ejected for 20 s more; 2 failed in a row"],
    ["[2001:db8::1]:80 weight 5", "-", ""],
  ])
  const running = { endpoint: "10.0.0.1:80", weight: 1, running: 3, warmingMs: 1 }
  expect(rows({ state: state(running) })?.[1]).toEqual(["10.0.0.1:80", "3", "warms up for 1 s more"])
})

test("an endpoint that is as it should be has no notes", () => {
  expect(stateNotes(undefined)).toEqual([])
  expect(stateNotes({ endpoint: "a", weight: 1, failures: 0, ejectedMs: 0, warmingMs: 0 })).toEqual([])
})

test.each([
  [undefined, "-"],
  [0, "0 ms"],
  [0.000_43, "0.4 ms"],
  [0.012_34, "12.3 ms"],
  [0.5, "500 ms"],
  [2.124, "2.12 s"],
])("%s seconds are %s", (seconds, text) => {
  expect(secondsText(seconds)).toBe(text)
})

test.each([
  [0, "0 %"],
  [0.000_12, "0.012 %"],
  [0.0125, "1.3 %"],
  [0.256, "26 %"],
])("a share of %d is %s", (share, text) => {
  expect(percent(share)).toBe(text)
})
