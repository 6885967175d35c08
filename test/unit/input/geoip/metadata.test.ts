import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { databaseFault } from "../../../../controller/input/geoip/metadata.ts"
import { geoDatabase } from "../../../../harness/geo-database.ts"

const directory = mkdtempSync(join(tmpdir(), "wick-metadata-"))
afterAll(() => rmSync(directory, { recursive: true }))

const path = join(directory, "a.mmdb")
const whole = geoDatabase("GeoLite2-Country", { "192.0.2.0/24": { country: { iso_code: "DE" } } })
const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1")

function faultOf(bytes: Uint8Array): Promise<string | undefined> {
  writeFileSync(path, bytes)
  return databaseFault(path)
}

test("a database is one", async () => {
  expect(await faultOf(whole)).toBeUndefined()
  const v4 = geoDatabase("a", { "192.0.2.0/24": "b" }, { ipVersion: 4, recordBits: 32 })
  expect(await faultOf(v4)).toBeUndefined()
})

test("a part of one is none", async () => {
  const none = "it is no database in MaxMind's format, or only a part of one"
  expect(await faultOf(whole.subarray(0, whole.indexOf(marker)))).toBe(none)
  expect(await faultOf(Buffer.alloc(0))).toBe(none)
  expect(await faultOf(whole.subarray(0, -10))).toBe("what it says of itself cannot be read")
  expect(await faultOf(whole.subarray(whole.indexOf(marker) - 20))).toBe("a part of it is missing")
})

test("nothing that it says of itself does harm", async () => {
  const behind = (bytes: readonly number[]) => faultOf(Buffer.concat([marker, Buffer.from(bytes)]))
  const unreadable = "what it says of itself cannot be read"
  expect(await behind([])).toBe(unreadable)
  expect(await behind([0xff, 0xff, 0xff, 0xff])).toBe(unreadable) // a map of 16 million
  expect(await behind([0x5f, 0xff, 0xff, 0xff])).toBe(unreadable) // a text as long
  expect(await behind([0x20, 0x00])).toBe(unreadable) // a pointer
  expect(await behind(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 0x01 : 0x04)))).toBe(unreadable) // arrays in arrays
  expect(await behind([0xe0])).toBe("its format has version undefined, and 2 is known")
})

test("what cannot be read says why", async () => {
  expect(await databaseFault(join(directory, "none"))).toMatch(/ENOENT/)
  expect(await databaseFault(directory)).toBe("it is no regular file")
})
