import fc from "fast-check"
import { expect, test } from "vitest"
import type { ObjectStatus } from "../../../../controller/model/object-status.ts"
import { noEntries, printStatus, type StatusText } from "../../../../controller/model/status-text.ts"
import { DifferingStatuses } from "../../../../controller/report/status/differing-statuses.ts"
import { runs } from "../../../support/runs.ts"
import { FakeGatewayStatuses } from "./statuses.ts"

const kinds = ["Gateway", "HTTPRoute", "BackendTLSPolicy"] as const
const names = ["a", "b", "c", "d"] as const

/** As the kind needs it, which nobody here reads. */
function statusOf(kind: string, name: string, generation: number): ObjectStatus {
  const conditions = [{ type: "Accepted", status: "True", reason: "Accepted", message: "" }]
  const entries = [{ conditions }]
  const status = { conditions, parents: entries, ancestors: entries }
  return { kind, namespace: "shop", name, generation, status } as unknown as ObjectStatus
}

const nameOf = ({ kind, name }: { kind: string; name: string }) => `${kind} shop/${name}`
const some = { kind: fc.constantFrom(...kinds), name: fc.constantFrom(...names) }
const generation = fc.nat(2)

/** Somebody writes a status or removes an object, or it is not known what it is about. */
const seen = fc.record({ ...some, generation: fc.option(generation) })

/** In any order, which is that of a pass. */
const wanted = fc.uniqueArray(fc.record({ ...some, generation }), { selector: nameOf })

const step = fc.record({ wanted, seen: fc.array(seen, { maxLength: 3 }), areWritten: fc.boolean() })

/** All of them, looked at one by one. */
function fromScratch(
  statuses: readonly ObjectStatus[],
  current: ReadonlyMap<string, StatusText>,
): ReadonlyMap<string, StatusText> {
  const parts = new Map(statuses.map((status) => [nameOf(status), printStatus(status)]))
  const differing = [...current].flatMap(([name, now]): readonly (readonly [string, StatusText])[] => {
    const part = parts.get(name) ?? noEntries(name.split(" ")[0] ?? "")
    return part === undefined || part === now ? [] : [[name, part]]
  })
  return new Map(differing)
}

test("what differs is what a look at all of them finds, whatever has changed since the last look", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const writer = new FakeGatewayStatuses()
      const differing = new DifferingStatuses(writer)
      let kept: readonly ObjectStatus[] = []
      for (const { wanted, seen, areWritten } of steps) {
        kept = wanted.map(({ kind, name, generation }) => {
          const same = kept.find((it) => it.kind === kind && it.name === name && it.generation === generation)
          return same ?? statusOf(kind, name, generation)
        })
        for (const { kind, name, generation } of seen)
          if (generation === null) writer.seen.delete(nameOf({ kind, name }))
          else writer.seen.set(nameOf({ kind, name }), printStatus(statusOf(kind, name, generation)))
        const found = differing.among(kept)
        expect(new Map(found)).toEqual(fromScratch(kept, writer.seen))
        if (areWritten) for (const [name, part] of found) writer.seen.set(name, part)
      }
    }),
    runs(200),
  )
})

test("those that have differed for longest come first", () => {
  const writer = new FakeGatewayStatuses()
  const differing = new DifferingStatuses(writer)
  const [a, b, c] = names.map((name) => statusOf("HTTPRoute", name, 1))
  for (const name of names) writer.seen.set(nameOf({ kind: "HTTPRoute", name }), noEntries("HTTPRoute") ?? "")
  const found = (...statuses: (ObjectStatus | undefined)[]) =>
    differing.among(statuses.filter((it) => it !== undefined)).map(([name]) => name)
  expect(found(c)).toEqual(["HTTPRoute shop/c"])
  expect(found(a, b, c)).toEqual(["HTTPRoute shop/c", "HTTPRoute shop/a", "HTTPRoute shop/b"])
})

test("what routes are attached to is written first, in turns with what is attached", () => {
  const writer = new FakeGatewayStatuses()
  const differing = new DifferingStatuses(writer)
  const kinds = [
    "Gateway",
    "HTTPRoute",
    "ListenerSet",
    "GRPCRoute",
    "GatewayClass",
    "BackendTLSPolicy",
    "TCPRoute",
  ]
  const all = kinds.map((kind) => statusOf(kind, "a", 1))
  for (const kind of kinds) writer.seen.set(nameOf({ kind, name: "a" }), "")
  const written = () =>
    differing
      .among(all)
      .map(([name]) => name.split(" ")[0])
      .toReversed()
  expect(written().slice(0, 3)).toEqual(["GatewayClass", "TCPRoute", "ListenerSet"])
  expect(written().slice(3)).toEqual(["BackendTLSPolicy", "Gateway", "GRPCRoute", "HTTPRoute"])
})
