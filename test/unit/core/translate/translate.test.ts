import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import type { TranslateOptions } from "../../../../controller/core/options/translation.ts"
import { Translator } from "../../../../controller/core/translate/translate.ts"
import type { EndpointSlice } from "../../../../controller/model/objects/endpoint-slice.ts"
import type { Service } from "../../../../controller/model/objects/service.ts"
import type { Snapshot } from "../../../../controller/model/snapshot.ts"
import { sameItems } from "../../../../controller/support/incremental/last-result.ts"
import { SharedMap } from "../../../../controller/support/incremental/shared-map.ts"
import {
  ingress,
  options,
  type Part,
  passOf,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../harness/objects.ts"
import { runs } from "../../../support/runs.ts"
import { identity, part, partOfTwo, world, worldOfTwo } from "./arbitrary.ts"
import { twoFrontEnds } from "./second-front-end.ts"

/** From scratch, also of other objects. */
function fresh(...objects: readonly Part[]) {
  return freshWith(settings, options, objects)
}

function freshWith(own: Settings, flags: TranslateOptions, objects: readonly Part[]) {
  return translate(snapshot(...objects.map(copyOf)), own, flags)
}

/** What an operator may have said about the owners of hosts. */
const owners: Readonly<Record<string, Partial<Settings>>> = {
  "nothing about owners": {},
  "that nobody owns hosts": { crossNamespace: "allowed" },
  "that others have no rules": { crossNamespace: "none" },
  "who owns what": { hostOwners: { "one.test": "a-b", "*.test": "a", _: "a-b" } },
}

/** With what it has when it is asked. */
function asked({ observed, ...translation }: ReturnType<typeof translate>) {
  return { ...translation, certificates: observed.certificates(), sources: [...observed.sources()] }
}

/** Another object with the same content; keys stay what they are, as `structuredClone` would make plain objects of them. */
function copyOf<T>(value: T): T {
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copyOf(item)])) as T
  if (Array.isArray(value)) return value.map(copyOf) as T
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)])) as T
}

/** Makes snapshots whose Services and slices are views of maps that live on, as those of the store. */
function sharing(): (input: Snapshot) => Snapshot {
  const services = new SharedMap<Service>()
  const endpointSlices = new SharedMap<readonly EndpointSlice[]>()
  return (input) => {
    follow(services, input.services, (a, b) => a === b)
    follow(endpointSlices, input.endpointSlices, sameItems)
    return { ...input, services: services.view(), endpointSlices: endpointSlices.view() }
  }
}

function follow<V>(map: SharedMap<V>, wanted: ReadonlyMap<string, V>, isSame: (a: V, b: V) => boolean): void {
  for (const key of new Set([...map.view().keys(), ...wanted.keys()])) {
    const [before, after] = [map.get(key), wanted.get(key)]
    if (!before || !after || !isSame(before, after)) map.put(key, after)
  }
}

/** Looks at the objects, then each time that one of them goes, comes or is another one, and is as edited. */
function eachEdit(
  objects: readonly Part[],
  edits: readonly Part[],
  look: (held: readonly Part[]) => void,
): void {
  const held = new Map(objects.map((object) => [identity(object), object]))
  look([...held.values()])
  for (const edit of edits) {
    if (!held.delete(identity(edit))) held.set(identity(edit), edit)
    look([...held.values()])
    held.set(identity(edit), edit)
    look([...held.values()])
  }
}

describe("properties", () => {
  test("the order in which objects come does not matter", () => {
    const shuffled = world.chain((objects) =>
      fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })),
    )
    fc.assert(
      fc.property(shuffled, ([objects, other]) => {
        expect(asked(fresh(...other))).toEqual(asked(fresh(...objects)))
      }),
      runs(150),
    )
  })

  test.each(Object.entries(owners))("what is remembered between passes changes nothing: %s", (_, said) => {
    const wanted = { ...settings, ...said }
    const flags = { ...options, passesTls: true }
    fc.assert(
      fc.property(world, fc.array(part, { maxLength: 8 }), (objects, edits) => {
        const [translator, asInStore] = [new Translator(flags), sharing()]
        eachEdit(objects, edits, (held) => {
          const again = asked(freshWith(wanted, flags, held))
          expect(asked(passOf(translator, asInStore(snapshot(...held)), wanted))).toEqual(again)
        })
      }),
      runs(30),
    )
  })

  test("what two front ends remember between passes changes nothing", () => {
    const flags = { ...options, passesTls: true }
    fc.assert(
      fc.property(worldOfTwo, fc.array(partOfTwo, { maxLength: 8 }), (objects, edits) => {
        const [translator, asInStore] = [new Translator(flags, twoFrontEnds), sharing()]
        eachEdit(objects, edits, (held) => {
          const fresh = new Translator(flags, twoFrontEnds)
          const again = asked(passOf(fresh, snapshot(...held.map(copyOf)), settings))
          expect(asked(passOf(translator, asInStore(snapshot(...held)), settings))).toEqual(again)
        })
      }),
      runs(60),
    )
  })

  test("lists of the model are in strict canonical order, and routes name what exists", () => {
    fc.assert(
      fc.property(world, (objects) => {
        const { model, problems } = fresh(...objects)
        const { fixed, live } = model
        const isSorted = (names: readonly string[]) =>
          names.every((name, at) => at === 0 || (names[at - 1] ?? "") < name)
        expect(isSorted(live.backends.map(({ name }) => name))).toBe(true)
        expect(isSorted(live.hosts.map(({ host }) => host))).toBe(true)
        expect(isSorted(fixed.locations.map(({ name }) => name))).toBe(true)
        const backends = new Map(live.backends.map((backend) => [backend.name, backend]))
        const locations = new Set(fixed.locations.map(({ name }) => name))
        // What wants certificates on somebody else's host is closed there, whatever its backend has.
        const foreign = problems.filter(({ code }) => code === "client-certificates-foreign")
        const mayBeClosed = new Set(foreign.map(({ object }) => `${object.namespace}/${object.name}`))
        for (const route of live.hosts.flatMap(({ routes }) => routes)) {
          expect(locations).toContain(route.location)
          if (route.status === 404) continue
          if (route.status === 503 && mayBeClosed.has(`${route.namespace}/${route.ingressName}`)) continue
          expect(route.status === 503).toBe(backends.get(route.backend)?.endpoints.length === 0)
        }
      }),
    )
  })
})

describe("what did not change keeps its identity", () => {
  const translator = new Translator(options)
  const cart = service("shop/cart", "80")
  const other = service("shop/other", "80")
  const ingresses = [ingress("shop/a", "one.test/ → cart:80"), ingress("shop/b", "two.test/ → other:80")]
  const otherSlices = [slice("shop/other", ["10.0.1.1"], "8080")]

  function pass(
    cartAddresses: readonly string[],
    list = ingresses,
    services: readonly Service[] = [cart, other],
  ) {
    const input = snapshot(...services, slice("shop/cart", cartAddresses, "8080"))
    const slices = new Map([...input.endpointSlices, ["shop/other", otherSlices]])
    return passOf(translator, { ...input, ingresses: list, endpointSlices: slices }, settings).model.live
  }

  test("an endpoint moves one backend and no host", () => {
    const before = pass(["10.0.0.1"])
    const after = pass(["10.0.0.2"])
    expect(after.hosts.map((host, at) => host === before.hosts[at])).toEqual([true, true, true])
    expect(after.backends.map((backend, at) => backend === before.backends[at])).toEqual([false, true])
  })

  test("the last endpoint moves the host as well", () => {
    const before = pass(["10.0.0.1"])
    const after = pass([])
    expect(after.hosts.map((host, at) => host === before.hosts[at])).toEqual([true, false, true])
    expect(after.hosts[1]?.routes[0]?.status).toBe(503)
  })

  test("a default backend that gets its first endpoint takes over from 404 everywhere", () => {
    const flags = { ...options, defaultBackendService: { namespace: "shop", name: "other" } }
    const translator = new Translator(flags)
    const parts = [cart, other, ...ingresses.slice(0, 1), slice("shop/cart", ["10.0.0.1"], "8080")]
    const rest = snapshot(...parts)
    const slices = new Map([...rest.endpointSlices, ["shop/other", otherSlices]])
    const before = passOf(translator, rest, settings).model.live
    const after = passOf(translator, { ...rest, endpointSlices: slices }, settings).model.live
    expect(before.hosts[0]?.routes[0]).toMatchObject({ backend: "upstream-default-backend", status: 404 })
    expect(after.hosts[0]?.routes[0]?.status).toBeUndefined()
    expect(after.backends.map(({ name }) => name)).toEqual(["shop-cart-80", "upstream-default-backend"])
    expect(after.hosts[1]).toBe(before.hosts[1])
  })

  test("an Ingress moves its own host only", () => {
    const before = pass(["10.0.0.1"])
    const after = pass(["10.0.0.1"], [...ingresses, ingress("shop/c", "one.test/x → cart:80")])
    expect(after.hosts.map((host, at) => host === before.hosts[at])).toEqual([true, false, true])
    expect(after.backends[1]).toBe(before.backends[1])
  })
})
