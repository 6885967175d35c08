import { expect, test } from "vitest"
import { type Checks, checkNotes, checksOf, needsOf } from "../../../controller/inspect/access.ts"
import type { PostedAccess } from "../../../controller/output/control/posted.ts"

const noLists = { addresses: async () => undefined, users: async () => undefined }
const of = (posted: PostedAccess, address?: string): Promise<Checks> =>
  checksOf(posted, noLists, address === undefined ? undefined : { address })

test("where clients have to be", async () => {
  const checks = await of({ allow_countries: ["DE", "FR"], deny_asns: [64_496] })
  expect(checkNotes(checks)).toEqual([
    "only for clients in DE, FR, by the database of GeoIP",
    "not for networks of AS64496, by the database of GeoIP",
  ])
  expect(needsOf(checks)).toEqual(["a country of DE, FR"])
})

test("both kinds of lists have to let a client in", async () => {
  const checks = await of({ allow_countries: ["DE"], allow_asns: [3320], deny_countries: ["KP"] })
  expect(needsOf(checks)).toEqual(["a country of DE and a network of AS3320"])
  expect(needsOf(await of({ deny_countries: ["KP"] }))).toEqual(["a place that is not denied"])
})

test("of many some are shown", async () => {
  const asns = Array.from({ length: 12 }, (_, at) => at + 1)
  const [note = ""] = checkNotes(await of({ deny_asns: asns }))
  expect(note).toMatch(/^not for networks of AS1, .*AS10 and 2 more, by/)
})

test("only nginx knows where an address is", async () => {
  const { client } = await of({ allow_countries: ["DE"], satisfy: "any" }, "192.0.2.1")
  expect(client).toMatchObject({ address: "192.0.2.1", needs: ["a country of DE"] })
  expect(client?.status).toBeUndefined()
})
