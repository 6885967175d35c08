// What every data plane promises (controller/output/plane/plane.ts), tried with models that a controller makes.
import { describe, expect, test } from "vitest"
import { liveChange } from "../../controller/core/plan/change.ts"
import { emptyLive, type Fixed, type Live, type Model } from "../../controller/model/model.ts"
import { namedLocations } from "../../controller/model/route.ts"
import type { DataPlane } from "../../controller/output/plane/plane.ts"
import { ingress, ingressClass, type Json, service, slice } from "../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../harness/translation.ts"

/** A data plane that was adopted, where nothing ran. */
export interface Tried extends AsyncDisposable {
  readonly plane: DataPlane
  /** the flags that it was made with */
  readonly flags: readonly string[]
  /** Has it end without being asked to. Resolves when it has noticed. */
  die(): Promise<void>
  /** A configuration that it does not take. */
  refused(fixed: Fixed): Fixed
}

/** Applications with a host each; `old` ones have a location of their own. */
function modelOf(flags: readonly string[], apps: readonly string[], old: readonly string[] = []): Model {
  const objects = [...apps, ...old].flatMap((name): Json[] => [
    ingress(
      `shop/${name}`,
      `${name}.test/ → ${name}:80`,
      old.includes(name) ? { "proxy-http-version": "1.0" } : {},
    ),
    service(`shop/${name}`),
    slice(`shop/${name}`, ["127.0.0.9"], 9),
  ])
  const changes = [ingressClass, ...objects].flatMap((object, at) => changesOf(object, `all.yaml:${at}`))
  return translationOf(changes, optionsOf(["--manifests=x", ...flags])).model
}

/** The locations that a model's routes name are in force. */
function neededLocations({ hosts }: Live): readonly string[] {
  return [...namedLocations(hosts)].sort()
}

function post(plane: DataPlane, wanted: Live) {
  return plane.post(wanted, liveChange(plane.live, wanted))
}

async function serve(plane: DataPlane, { fixed, live }: Model): Promise<string | undefined> {
  await plane.prepare(fixed)
  await post(plane, live)
  return plane.load(fixed)
}

export function planeContract(start: () => Promise<Tried>): void {
  describe("while nothing runs", () => {
    test("nothing is in force, nothing can be posted, and readings have no values", async () => {
      await using tried = await start()
      const { plane } = tried
      expect(plane).toMatchObject({ isServing: false, isInStep: false, hasServed: false, live: emptyLive })
      expect([plane.generation, plane.running, plane.hash]).toEqual([undefined, undefined, undefined])
      await expect(post(plane, modelOf(tried.flags, ["a"]).live)).rejects.toMatchObject({
        code: "nginx-ended",
      })
      const { read } = plane
      expect(await Promise.all([read.zones(), read.policyCounters()])).toEqual([[], []])
      const values = [read.connections(), read.resourceUse(), read.filterCounters(), read.lastFixed()]
      expect(await Promise.all(values)).toEqual([undefined, undefined, undefined, undefined])
    })
  })

  describe("what is prepared", () => {
    test("takes in a live half, and does not serve before it is loaded", async () => {
      await using tried = await start()
      const { plane } = tried
      const { fixed, live } = modelOf(tried.flags, ["a", "b"])
      await plane.prepare(fixed)
      expect(plane.generation).toBeDefined()
      expect([plane.isServing, plane.isInStep, plane.running]).toEqual([false, false, undefined])
      expect(await post(plane, live)).toEqual([])
      expect([plane.isServing, plane.isInStep, plane.running]).toEqual([false, true, undefined])
      expect(plane.live).toEqual(live)
      const hash = await plane.load(fixed)
      expect(hash).toBe(plane.hash)
      expect([plane.isServing, plane.hasServed]).toEqual([true, true])
      expect(plane.running).toEqual({ fixed, live })
    })
  })

  describe("what serves", () => {
    test("is loaded once, stays one generation, and goes from one live half to another", async () => {
      await using tried = await start()
      const { plane, flags } = tried
      const first = modelOf(flags, ["a", "b"])
      await serve(plane, first)
      const { generation } = plane
      expect(await plane.load(first.fixed)).toBeUndefined()
      const second = modelOf(flags, ["b", "c"])
      expect(await post(plane, second.live)).toEqual([])
      expect(plane.live).toEqual(second.live)
      expect(plane.generation).toBe(generation)
    })

    test("keeps the locations of routes in force through a load, and lets them go with the next", async () => {
      await using tried = await start()
      const { plane, flags } = tried
      const former = modelOf(flags, [], ["a"])
      await serve(plane, former)
      const wanted = modelOf(flags, ["a"])
      const [gone] = neededLocations(former.live)
      const inForce = () => plane.running?.fixed.locations.map(({ name }) => name)
      await plane.load(wanted.fixed)
      expect(inForce()).toContain(gone)
      await post(plane, wanted.live)
      await plane.load(wanted.fixed)
      expect(inForce()).not.toContain(gone)
    })

    test("stays what it is when it refuses a configuration", async () => {
      await using tried = await start()
      const { plane, flags, refused } = tried
      const model = modelOf(flags, ["a"])
      await serve(plane, model)
      const { hash } = plane
      const bad = refused(model.fixed)
      await expect(plane.check(bad)).rejects.toMatchObject({ code: "conf-refused" })
      await expect(plane.load(bad)).rejects.toMatchObject({ code: "conf-refused" })
      await plane.check(model.fixed)
      expect([plane.hash, plane.running]).toEqual([hash, model])
    })
  })

  describe("what has died", () => {
    test("is not in force any more, and the next generation begins empty", async () => {
      await using tried = await start()
      const { plane, flags } = tried
      const model = modelOf(flags, ["a"])
      await serve(plane, model)
      const generation = plane.generation ?? 0
      await tried.die()
      expect([plane.generation, plane.running, plane.isServing]).toEqual([undefined, undefined, false])
      expect([plane.live, plane.hasServed]).toEqual([emptyLive, true])
      await plane.prepare(model.fixed)
      expect(plane.generation).toBeGreaterThan(generation)
      expect([plane.live, plane.isInStep]).toEqual([emptyLive, false])
      await post(plane, model.live)
      await plane.load(model.fixed)
      expect(plane.running).toEqual(model)
    })
  })

  describe("what is stopped", () => {
    test("runs no more", async () => {
      await using tried = await start()
      const { plane, flags } = tried
      await serve(plane, modelOf(flags, ["a"]))
      await plane.drain()
      expect(plane.isServing).toBe(true)
      await plane.stop(new AbortController().signal)
      expect([plane.generation, plane.running]).toEqual([undefined, undefined])
    })
  })
}
