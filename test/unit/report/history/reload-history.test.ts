import { expect, test } from "vitest"
import { ReloadHistory } from "../../../../controller/report/history/reload-history.ts"

test("the newest come first, as many as are kept", () => {
  const history = new ReloadHistory()
  for (let at = 1; at <= 150; at += 1) history.reloaded([`reason ${at}`], {}, at)
  expect(history.total).toBe(150)
  expect(history.kept).toHaveLength(100)
  expect(history.kept[0]).toEqual({ atMs: 150, kind: "reload", reasons: ["reason 150"] })
})

test("starts, failures and deaths are told apart; a failure that is tried again is one", () => {
  const history = new ReloadHistory()
  history.reloaded([], { ms: 5, hash: "a" }, 1)
  history.failed(["logs"], "no", 2)
  history.failed(["logs"], "no", 3)
  history.failed(["logs"], "other", 4)
  history.died("by signal 9", 5)
  expect(history.kept.map(({ kind, atMs }) => [kind, atMs])).toEqual([
    ["died", 5],
    ["failed", 4],
    ["failed", 3],
    ["start", 1],
  ])
  expect(history.total).toBe(1)
})
