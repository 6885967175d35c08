/** Records of backends that something else wrote: read if they are whole, refused if they are not, and nothing else. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { Worker } from "./host.ts"

const ENDPOINT = Buffer.from("500001000409090909", "hex")
/** Bytes of the settings that are numbers. */
const NUMBERS = new Map([
  [2, 4],
  [4, 1],
  [5, 8],
  [6, 8],
  [9, 1],
  [12, 8],
  [17, 4],
  [18, 8],
  [22, 4],
])
const LOCATION = 10
const LAST = 23
/** Of the first byte of a field, besides its id. */
const CRITICAL = 128

interface Field {
  /** The id, and `CRITICAL` or not. */
  readonly tag: number
  readonly value: Uint8Array
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

const head = ({ tag, value }: Field) => u32(tag + value.length * 256)

function recordOf(algorithm: number, settings: Uint8Array, length = settings.length): Buffer {
  return Buffer.concat([Buffer.of(3, algorithm, 0, 0), u32(1), u32(length), settings, ENDPOINT])
}

/** Texts, each behind its length. */
function areTexts(bytes: Uint8Array): boolean {
  let at = 0
  while (at + 2 <= bytes.length) {
    at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
    if (at === bytes.length) return true
  }
  return false
}

function isPossible({ tag, value }: Field): boolean {
  const id = tag & ~CRITICAL
  if (id === 0 || id > LAST) return tag === id
  return id === LOCATION ? areTexts(value) : (NUMBERS.get(id) ?? value.length) === value.length
}

/** Written by another process; what this one makes of it. */
function readBy(worker: Worker, record: Buffer): { shown: boolean; picked: boolean } {
  worker.zones.write([{ key: "backends/a", value: record, cas: 0 }])
  const shown = JSON.parse(worker.get("/configuration/backends?name=a").body)[0]
  expect(shown.name).toBe("a")
  const choice = worker.select("a")
  if (choice && "address" in choice) expect(choice).toMatchObject({ address: "9.9.9.9", port: 80 })
  return { shown: shown.error === undefined, picked: choice !== undefined && "address" in choice }
}

const algorithm = fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 255 }))
const ascii = (maxLength: number) =>
  fc.string({ unit: "binary-ascii", maxLength }).map((text) => Buffer.from(text))
const text = fc.oneof(ascii(12), ascii(300))
const texts = fc
  .array(text, { maxLength: 4 })
  .map((list) => Buffer.concat(list.flatMap((text) => [u32(text.length).subarray(0, 2), text])))
const number = fc
  .constantFrom(1, 4, 8)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
const value = fc.oneof(text, texts, number)
const field = fc.record({ tag: fc.oneof(fc.nat({ max: 24 }), fc.nat({ max: 255 })), value })
const fields = fc.array(field, { maxLength: 8 })

test("settings are taken exactly when each is whole, its number has its size, and none that is critical is unknown", () => {
  const worker = new Worker()
  fc.assert(
    fc.property(algorithm, fields, (algorithm, list) => {
      const settings = Buffer.concat(list.flatMap((field) => [head(field), field.value]))
      const isRead = list.every(isPossible)
      expect(readBy(worker, recordOf(algorithm, settings))).toEqual({ shown: isRead, picked: isRead })
    }),
    { numRuns: 2000 },
  )
})

test("any bytes of settings, of any length, are taken or refused", () => {
  const worker = new Worker()
  const length = fc.oneof(fc.nat({ max: 60 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 })
  fc.assert(
    fc.property(algorithm, fields, damage, fc.option(length), (algorithm, list, damages, length) => {
      const settings = Buffer.concat(list.flatMap((field) => [head(field), field.value]))
      for (const [at, byte] of damages) if (settings.length > 0) settings[at % settings.length] = byte
      const { shown, picked } = readBy(worker, recordOf(algorithm, settings, length ?? settings.length))
      expect(picked).toBe(shown)
    }),
    { numRuns: 3000 },
  )
})

test("texts that are not UTF-8 are shown with replacement characters", () => {
  const worker = new Worker()
  const value = Buffer.from("ff61c3a9e282f09f8d" + "b5eda080c3", "hex")
  const settings = Buffer.concat([head({ tag: 11, value }), value])
  readBy(worker, recordOf(0, settings))
  const { body } = worker.get("/configuration/backends?name=a")
  expect(JSON.parse(body)[0].alternativeBackends).toEqual(["�aé��🍵����"])
})

test("a record that is cut anywhere is refused", () => {
  const worker = new Worker()
  const whole = [
    { tag: 1, value: Buffer.from("$host") },
    { tag: LOCATION, value: Buffer.from("\x01\0a\x01\0/") },
    { tag: 18, value: Buffer.alloc(8, 1) },
  ]
  const record = recordOf(2, Buffer.concat(whole.flatMap((field) => [head(field), field.value])))
  expect(readBy(worker, record)).toEqual({ shown: true, picked: true })
  for (let length = 1; length < record.length; length++) {
    expect(readBy(worker, record.subarray(0, length))).toEqual({ shown: false, picked: false })
  }
})
