import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { DatabaseDirectory } from "../../../../controller/input/geoip/database-directory.ts"
import { geoDatabase } from "../../../../harness/geo-database.ts"
import { until } from "../../../../harness/until.ts"

let directory: string
let stop: AbortController
let puts: string[]
let refuses: string | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wick-databases-"))
  stop = new AbortController()
  puts = []
  refuses = undefined
})
afterEach(() => {
  stop.abort()
  rmSync(directory, { recursive: true })
})

const database = (text: string) => geoDatabase("GeoLite2-City", { "192.0.2.0/24": text })

function put(bytes: Buffer, edition = "GeoLite2-City"): void {
  writeFileSync(join(directory, "part"), bytes)
  renameSync(join(directory, "part"), join(directory, `${edition}.mmdb`))
}

function open(): DatabaseDirectory {
  const databases = new DatabaseDirectory({
    directory,
    editions: ["GeoLite2-City", "GeoLite2-ASN"],
    plane: {
      async putDatabase(edition) {
        if (refuses !== undefined) throw new Error(refuses)
        puts.push(edition)
      },
      async keepDatabases(editions) {
        puts.push(`only ${editions.join(" ")}`)
      },
    },
    changed() {},
    signal: stop.signal,
  })
  databases.want(true)
  return databases
}

const codes = (databases: DatabaseDirectory) =>
  databases.problems().map(({ code, field }) => `${code} ${field}`)
const refused = ["geoip-database-refused", "GeoLite2-City.mmdb"].join(" ")
const missing = (edition: string) => ["geoip-database-missing", `${edition}.mmdb`].join(" ")

test("what is there is brought to the data plane, what is not is a Problem", async () => {
  put(database("one"))
  const databases = open()
  await until("a look", () => codes(databases).length > 0)
  expect(codes(databases)).toEqual([missing("GeoLite2-ASN")])
  expect(puts).toEqual(["only GeoLite2-City GeoLite2-ASN", "GeoLite2-City"])
  put(database("asn"), "GeoLite2-ASN")
  await until("the other one", () => puts.includes("GeoLite2-ASN"))
  await until("no Problem", () => codes(databases).length === 0)
})

test("another version is brought there, a damaged one is not", async () => {
  put(database("one"))
  const databases = open()
  await until("the first", () => puts.includes("GeoLite2-City"))
  put(database("two").subarray(0, 40))
  await until("a Problem", () => codes(databases).includes(refused))
  put(database("three"))
  await until("the third", () => puts.filter((it) => it === "GeoLite2-City").length === 2)
  await until("one Problem", () => codes(databases).length === 1)
})

test("what could not be copied is tried again", async () => {
  refuses = "no room"
  put(database("one"))
  const databases = open()
  await until("a Problem", () => codes(databases).includes(refused))
  refuses = undefined
  await until("it", () => puts.includes("GeoLite2-City"))
})

test("nobody looks while it is not wanted, and there is no Problem", async () => {
  const databases = open()
  await until("a look", () => codes(databases).length === 2)
  databases.want(false)
  expect(codes(databases)).toEqual([])
})
