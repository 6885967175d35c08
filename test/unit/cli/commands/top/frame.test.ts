import { expect, test } from "vitest"
import type { Activity } from "../../../../../cli/commands/top/activity.ts"
import { frame } from "../../../../../cli/commands/top/frame.ts"
import type { Latency } from "../../../../../cli/commands/top/latency.ts"
import { firstLook, type Looking } from "../../../../../cli/commands/top/looking.ts"

const traffic = (name: string, perSecond: number, errorsPerSecond = 0, took: Partial<Latency> = {}) => ({
  ...took,
  name,
  perSecond,
  errorsPerSecond,
  refusedPerSecond: 0,
  total: 1000,
})
const cart = { meanSeconds: 0.00421, p99Seconds: 0.0123, isP99Beyond: false }
const web = { meanSeconds: 1.5, p99Seconds: 10, isP99Beyond: true }
const activity: Activity = {
  seconds: 2,
  requests: { perSecond: 120, errorsPerSecond: 6, refusedPerSecond: 0, total: 3000 },
  ingresses: [traffic("shop/cart", 20, 0, cart), traffic("shop/web", 100, 6, web), traffic("", 0)],
  hosts: [],
  countsEndpoints: false,
  backends: [],
  endpoints: [],
  ports: [],
  zones: [{ name: "routes", fill: 0.123 }],
}
const controller = {
  versions: { wick: "1.2.3", nginx: "1.22.1" },
  problems: { error: 2, warning: 0, info: 1 },
  counts: { hosts: 1, backends: 1, endpoints: 1 },
  nowMs: 400_000,
  reloads: 3,
  lastReload: { atMs: 100_000, kind: "reload" as const, reasons: ["http.tls.ciphers"] },
}
const plain = { columns: 100, rows: 14, paint: (_: string, text: string) => text, hasKeys: true }
const shown = (looking: Partial<Looking> = {}, options = {}, of = activity) =>
  frame(of, { ...firstLook, ...looking }, { ...plain, ...options })

test("a frame has exactly the rows of the terminal", () => {
  for (const rows of [9, 14, 40]) expect(shown({}, { rows })).toHaveLength(rows)
  expect(shown({}, { rows: 3 })).toHaveLength(3)
})

test("no line is wider than the terminal", () => {
  for (const columns of [1, 10, 40])
    for (const line of shown({}, { columns })) expect(line.length).toBeLessThanOrEqual(columns)
})

test("rows are sorted, the busiest first, with what they are sorted by", () => {
  const lines = shown()
  expect(lines[5]).toBe("INGRESS    REQ/S*  5XX  4XX     MEAN      P99  TOTAL")
  expect(lines.slice(6, 9)).toEqual([
    "shop/web      100  6 %  0 %    1.5 s   > 10 s   1000",
    "shop/cart    20.0  0 %  0 %  4.21 ms  12.3 ms   1000",
    "-               0    -    -        -        -   1000",
  ])
  expect(shown({ isReversed: true })[6]).toMatch(/^- /)
  expect(shown({ column: 0 })[7]).toMatch(/^shop\/cart/)
})

test("a filter leaves rows out, and says so", () => {
  const lines = shown({ filter: "CART", isTyping: true })
  expect(lines[4]).toBe("[ingresses]  hosts  backends  endpoints  ports  1 of 3 rows  filter: CART_")
  expect(lines[6]).toMatch(/^shop\/cart/)
  expect(lines[7]).toBe("")
})

test("what is scrolled away is not shown", () => {
  expect(shown({ first: 1 })[6]).toMatch(/^shop\/cart/)
})

test("without a controller that is said; with one there are Problems and reloads", () => {
  expect(shown()[1]).toMatch(/^no controller answers: Problems and reloads are not known/)
  const lines = shown({}, {}, { ...activity, controller })
  expect(lines.slice(0, 3)).toEqual([
    "wick 1.2.3  120 requests/s, 5 % of them 5xx, over 2.0 s",
    "Problems: 2 errors, 1 info  reloads: 3, the last 5 min ago (http.tls.ciphers)",
    "zones: routes 12 %",
  ])
})

test("a zone that is nearly empty is no number of many digits", () => {
  const zones = [
    { name: "routes", fill: 0.000_12 },
    { name: "passthroughs", fill: 0 },
  ]
  expect(shown({}, {}, { ...activity, controller, zones })[2]).toBe("zones: routes < 0.1 %, passthroughs 0 %")
})

test("the first lines are cut between their parts", () => {
  const [, problems] = shown({}, { columns: 60 }, { ...activity, controller })
  expect(problems).toBe("Problems: 2 errors, 1 info  reloads: 3…")
  expect(shown({}, { columns: 4 })[1]).toBe("no …")
})

test("what keys do fits sixty columns, and views do not read as counts", () => {
  const lines = shown({}, { columns: 60 })
  expect(lines.at(-1)).toBe("Tab, 1-5 view  s sort  r reverse  / filter  ↑↓ move  q quit")
  expect(lines[4]).toBe("[ingresses]  hosts  backends  endpoints  ports  3 rows")
})

test("columns that do not fit are left out, and no number is cut", () => {
  const titles = shown({}, { columns: 100 })[5] ?? ""
  const narrow = shown({}, { columns: titles.length - 1 })
  expect(narrow[5]).toBe(titles.slice(0, titles.lastIndexOf(" ")).trimEnd())
  expect(narrow.slice(5, 9).join()).not.toContain("…")
  expect(shown({}, { columns: 5 })[5]).toBe("INGR…")
})

test("a list that nobody counts says how to have it counted", () => {
  const { ingresses: _, requests: __, ...uncounted } = activity
  expect(shown({}, {}, uncounted)[5]).toBe(
    "Requests are not counted: start the controller with --enable-metrics",
  )
  expect(shown({ view: "endpoints" })[5]).toContain("--metrics-per-endpoint")
})

test("what is bad is red, and trouble takes the last line", () => {
  const paint = (style: string, text: string) => `<${style}>${text}`
  const lines = frame(activity, firstLook, { ...plain, paint }, "nginx is away; asked again")
  expect(lines[6]).toMatch(/^<red>shop\/web/)
  expect(lines[7]).toMatch(/^shop\/cart/)
  expect(lines.at(-1)).toBe("<red>nginx is away; asked again")
})

test("without keys there are all rows, and nothing about keys", () => {
  const all = Number.POSITIVE_INFINITY
  const lines = shown({}, { columns: all, rows: all, hasKeys: false })
  expect(lines).toHaveLength(3 + 1 + 1 + 3)
  expect(lines.join("\n")).not.toContain("quit")
})

test("names cannot tell the terminal anything", () => {
  const evil = { ...activity, ingresses: [traffic("a/\u001b[2J", 1)] }
  expect(shown({}, {}, evil)[6]).toContain("\\u001b[2J")
})

test("without a terminal there may be more rows than a function takes arguments", () => {
  const all = Number.POSITIVE_INFINITY
  const ingresses = Array.from({ length: 200_000 }, (_, at) => traffic(`shop/${at}`, at))
  const lines = shown({}, { columns: all, rows: all, hasKeys: false }, { ...activity, ingresses })
  expect(lines.length).toBeGreaterThan(ingresses.length)
})

test("ports have sessions, and those that reach no endpoint stand out", () => {
  const port = { connectSeconds: 0.0012, receivedBytesPerSecond: 999, sentBytesPerSecond: 34_512, total: 9 }
  const ports = [
    { ...port, name: "tcp:5432", perSecond: 4, failuresPerSecond: 1, refusedPerSecond: 2, open: 3 },
    { ...port, name: "udp:53", perSecond: 40, failuresPerSecond: 0, refusedPerSecond: 0, open: 0 },
  ]
  const paint = (style: string, text: string) => (style === "red" ? `!${text}` : text)
  const lines = shown({ view: "ports" }, { paint }, { ...activity, ports })
  expect(lines.slice(5, 8)).toMatchInlineSnapshot(`
    [
      "PORT      SESS/S*  FAILED  REFUSED  OPEN  CONNECT   IN/S    OUT/S  TOTAL",
      "udp:53       40.0     0 %      0 %     0   1.2 ms  999 B  34.5 kB      9",
      "!tcp:5432      4.0    25 %     50 %     3   1.2 ms  999 B  34.5 kB      9",
    ]
  `)
  expect(shown({ view: "ports" })[5]).toBe("Nobody has come to a port of a TCP or UDP service")
})
