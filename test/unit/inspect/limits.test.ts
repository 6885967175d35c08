import { expect, test } from "vitest"
import { limitNotes, limitsOf } from "../../../controller/inspect/limits.ts"

const key = "0".repeat(32)
const noList = () => Promise.resolve(undefined)
const list = () => Promise.resolve(["10.0.0.0/8", "2001:db8::/32"])

test("how much a client may request", async () => {
  const limits = await limitsOf({ key, rps: 5, rpm: 100, burst_multiplier: 2, connections: 3 }, noList)
  expect(limitNotes(limits)).toEqual([
    "5 per second of one client, 11 at once",
    "100 per minute of one client, 201 at once",
    "3 at a time",
  ])
})

test("who counts as one client", async () => {
  const by = ["header:X-Api-Key", "path:1"]
  const limits = await limitsOf({ key, connections: 3, by, ipv6_bits: 64 }, noList)
  expect(limitNotes(limits)).toEqual([
    "3 at a time",
    "clients are told apart by header:X-Api-Key and path:1",
    "all of an IPv6 network of /64 are one client",
  ])
})

test("five times the rate may come at once where nothing else is said", async () => {
  expect((await limitsOf({ key, rps: 5 }, noList)).perSecond).toEqual({ requests: 5, atOnce: 26 })
})

test("who is not limited", async () => {
  const notesFor = async (client: string) =>
    limitNotes(await limitsOf({ key, connections: 1, exempt: "office" }, list, client))
  expect(await notesFor("10.1.2.3")).toEqual([
    "1 at a time",
    "not for 10.0.0.0/8, 2001:db8::/32",
    "10.1.2.3 is exempt",
  ])
  expect((await notesFor("192.0.2.1")).at(-1)).toBe("192.0.2.1 is limited")
})

test("without the list of those who are not limited nobody is served", async () => {
  const limits = await limitsOf({ key, connections: 1, exempt: "gone" }, noList)
  expect(limits).toEqual({ connections: 1, missing: "gone" })
  expect(limitNotes(limits)[0]).toBe("address list gone is not in force: requests get 503")
})
