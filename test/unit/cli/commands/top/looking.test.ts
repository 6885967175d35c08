import { expect, test } from "vitest"
import { firstLook, type Looking, pressed } from "../../../../../cli/commands/top/looking.ts"

/** After these keys, on a page of ten rows; undefined: left. */
const after = (...keys: readonly string[]) =>
  keys.reduce<Looking | undefined>((looking, key) => looking && pressed(looking, key, 10), firstLook)

test("digits and Tab choose what to look at", () => {
  expect(after("3")?.view).toBe("backends")
  expect(after("tab")?.view).toBe("hosts")
  expect(after("5", "tab")?.view).toBe("ingresses")
  expect(after("9")).toEqual(firstLook)
})

test("s sorts by the next column, round; r turns it", () => {
  expect(after("s")?.column).toBe(2)
  expect(after("s", "s", "s", "s", "s", "s")?.column).toBe(0)
  expect(after("r")?.isReversed).toBe(true)
  expect(after("r", "s")?.isReversed).toBe(false)
  expect(after("s", "2")?.column).toBeUndefined()
})

test("a filter is typed, letters that are keys otherwise too; Enter keeps it, Esc drops it", () => {
  expect(after("/", "q", "1", "s")).toMatchObject({ filter: "q1s", isTyping: true, view: "ingresses" })
  expect(after("/", "a", "b", "backspace", "return")).toMatchObject({ filter: "a", isTyping: false })
  expect(after("/", "a", "return", "4")).toMatchObject({ filter: "a", view: "endpoints" })
  expect(after("/", "a", "escape")).toMatchObject({ filter: "", isTyping: false })
  expect(after("/", "a", "return", "escape")?.filter).toBe("")
})

test("arrows and pages scroll, not beyond the first row", () => {
  expect(after("down", "j", "pagedown")?.first).toBe(12)
  expect(after("down", "up", "up", "pageup")?.first).toBe(0)
  expect(after("pagedown", "home")?.first).toBe(0)
})

test("q leaves, and Ctrl-C while a filter is typed as well", () => {
  expect(after("q")).toBeUndefined()
  expect(after("/", "ctrl-c")).toBeUndefined()
})

test("other keys change nothing", () => {
  expect(after("x", "f1", "left", "resize", "")).toEqual(firstLook)
})
