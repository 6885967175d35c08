// Bounds on what is read: of one body, and of all together.
import { EventEmitter } from "node:events"
import type { IncomingMessage } from "node:http"
import { expect, test } from "vitest"
import { Bodies, type Body, bodyLimits } from "../../../controller/admission/bodies.ts"

class Upload extends EventEmitter {
  complete = false
  send(bytes: number): this {
    this.emit("data", Buffer.alloc(bytes, "x"))
    return this
  }
  finish(): this {
    this.complete = true
    this.emit("end")
    return this
  }
}

const limits = { maxBytes: 100, maxBytesInAll: 250 }
const read = (bodies: Bodies, upload: Upload) => bodies.read(upload as unknown as IncomingMessage)
const textOf = (body: Body) => (body.kind === "whole" ? body.take() : body.kind)

test("a body up to the limit is read, one byte more is too large", async () => {
  const bodies = new Bodies(limits)
  const [fits, exceeds] = [new Upload(), new Upload()]
  const both = [read(bodies, fits), read(bodies, exceeds)]
  fits.send(60).send(40).finish()
  exceeds.send(60).send(41).finish()
  expect((await Promise.all(both)).map(textOf)).toEqual(["x".repeat(100), "too-large"])
})

test("the limit is that of ingress-nginx", () => {
  expect(bodyLimits.maxBytes).toBe(9 * 1024 * 1024 - 1)
})

test("a body without end is given up at twice the limit", async () => {
  const upload = new Upload()
  const body = read(new Bodies(limits), upload)
  upload.send(150).send(51)
  expect(await body).toEqual({ kind: "too-large" })
})

test("when all together are too much, the largest goes, and what it had is free again", async () => {
  const bodies = new Bodies(limits)
  const [large, other, small] = [new Upload(), new Upload(), new Upload()]
  const [first, second, third] = [read(bodies, large), read(bodies, other), read(bodies, small)]
  large.send(100)
  other.send(90)
  small.send(50).send(20)
  expect(await first).toEqual({ kind: "crowded" })
  other.finish()
  small.send(30).finish()
  expect([(await second).kind, (await third).kind]).toEqual(["whole", "whole"])
})

test("what waits for its turn counts, and may go like what is being read", async () => {
  const bodies = new Bodies(limits)
  const whole = async (bytes: number) => {
    const upload = new Upload()
    const body = read(bodies, upload)
    upload.send(bytes).finish()
    return body
  }
  const [large, other] = [await whole(100), await whole(90)]
  const third = await whole(80)
  expect([large, other, third].map(textOf)).toEqual([undefined, "x".repeat(90), "x".repeat(80)])
  expect(textOf(other)).toBe(undefined)
  for (let round = 0; round < 10; round += 1) {
    const body = await whole(100)
    if (body.kind === "whole") body.drop()
  }
  expect([await whole(100), await whole(100)].map(textOf)).toEqual(["x".repeat(100), "x".repeat(100)])
})

test("a client that goes away leaves nothing behind", async () => {
  const bodies = new Bodies(limits)
  for (let round = 0; round < 10; round += 1) {
    const upload = new Upload()
    const body = read(bodies, upload)
    upload.send(90).emit("close")
    expect(await body).toEqual({ kind: "broken" })
  }
  const last = new Upload()
  const body = read(bodies, last)
  last.send(100).finish()
  expect((await body).kind).toBe("whole")
})
