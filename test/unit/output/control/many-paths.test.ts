// Hosts whose routes come in parts.
import { beforeEach, describe, expect, test } from "vitest"
import type { Host } from "../../../../controller/model/route.ts"
import type { PostedHost } from "../../../../controller/output/control/posted.ts"
import { problemsOf } from "../../../../controller/output/control/refusal.ts"
import { partBytes } from "../../../../controller/output/control/wire.ts"
import { host, live } from "./live.ts"
import { type StartedControl, shop, startControl } from "./started-control.ts"

let fake: StartedControl["fake"]
let to: StartedControl["to"]
beforeEach(async () => {
  const started = await startControl()
  ;({ fake, to } = started)
  return started.stop
})

describe("a host with many paths", () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `/app/${String(at).padStart(5, "0")}`)
  const routeTo = (path: string, to = "a") =>
    host("many.test", to).routes.map((route) => ({ ...route, path }))
  const hostWith = (own: readonly string[]): Host => ({
    ...host("many.test", "a"),
    routes: own.flatMap((path) => routeTo(path)),
  })
  const many = hostWith(paths)
  const withHost = (large: Host) => live(shop.backends, [...shop.hosts, large])
  const served = () => fake.routesOf("main/many.test").map(({ path }) => path)
  const bytesSince = (length: number) =>
    fake.posted.slice(length).reduce((sum, change) => sum + JSON.stringify(change).length, 0)

  test("comes in parts, none of which holds a worker up", async () => {
    expect((await to(withHost(many))).refusals).toEqual([])
    expect(served()).toEqual(paths)
    expect(Math.max(...fake.posted.map((change) => JSON.stringify(change).length))).toBeLessThan(
      1.1 * partBytes,
    )
  })

  test("one of them costs its share", async () => {
    await to(withHost(many))
    const { length } = fake.posted
    const changed = {
      ...many,
      routes: many.routes.flatMap((route) => (route.path === paths[7777] ? routeTo(route.path, "b") : route)),
    }
    await to(withHost(changed), withHost(many))
    const bytes = bytesSince(length)
    const without = { ...many, routes: many.routes.filter(({ path }) => path !== paths[7777]) }
    await to(withHost(without), withHost(changed))
    expect(bytes).toBeLessThan(48 * 1024)
    expect(bytesSince(length) - bytes).toBeLessThan(48 * 1024)
    expect(served()).toEqual(paths.filter((path) => path !== paths[7777]))
    const named = (fake.zones.routes.get("main/many.test") as PostedHost).parts ?? []
    expect([...fake.zones.route_parts.keys()].toSorted()).toEqual([...named].toSorted())
    expect(fake.missing).toEqual([])
  })

  test("takes its parts along when it goes, or becomes small", async () => {
    await to(withHost(many))
    await to(withHost(hostWith(["/one"])), withHost(many))
    expect(served()).toEqual(["/one"])
    expect(fake.zones.route_parts.size).toBe(0)
    await to(withHost(many), withHost(hostWith(["/one"])))
    await to(shop, withHost(many))
    expect(fake.zones.route_parts.size).toBe(0)
    expect(fake.missing).toEqual([])
  })

  test("is taken over from another controller, whose parts go when the host is set anew", async () => {
    fake.zones.route_parts.set("former", { id: "former", routes: [] })
    fake.zones.routes.set("main/many.test", {
      server: "main",
      host: "many.test",
      parts: ["former"],
      routes: [],
    })
    await to(withHost(many))
    expect(served()).toEqual(paths)
    expect(fake.zones.route_parts.has("former")).toBe(false)
  })

  test("that cannot be set keeps what it was, and its parts", async () => {
    await to(withHost(many))
    fake.refuses.add("many.test")
    const wanted = withHost(hostWith(paths.slice(0, 15_000)))
    const { inForce } = await to(wanted, withHost(many))
    expect(inForce.hosts).toEqual(withHost(many).hosts)
    expect(served()).toEqual(paths)
    fake.refuses.clear()
    expect((await to(wanted, inForce)).refusals).toEqual([])
    expect(served()).toEqual(paths.slice(0, 15_000))
    expect(fake.missing).toEqual([])
  })

  test("loses only the paths that nginx does not take, each with a Problem", async () => {
    const bad = [paths[7], paths[7777], paths[19_999]].flatMap((path) => path ?? [])
    for (const path of bad) fake.refusesPaths.add(path)
    const wanted = withHost(many)
    const { inForce, refusals } = await to(wanted)
    expect(served()).toEqual(paths.filter((path) => !bad.includes(path)))
    expect(
      problemsOf(refusals, wanted)
        .map(({ code, message }) => [code, message])
        .toSorted(),
    ).toEqual(
      bad.map((path) => [
        "refused",
        `Cannot serve path "${path}" of host "many.test": the route ${path} is bad`,
      ]),
    )
    fake.refusesPaths.clear()
    expect((await to(wanted, inForce)).refusals).toEqual([])
    expect(served()).toEqual(paths)
  })

  test("in a full zone is not served in part where some of its paths are not for everybody", async () => {
    fake.room = 100
    const guarded = many.routes.map((route) => ({ ...route, access: { allow: "list" } }))
    const wanted = withHost({ ...many, routes: guarded })
    const { refusals } = await to(wanted)
    expect(fake.zones.routes.get("main/many.test")).toMatchObject({ closed: true, routes: [] })
    expect(problemsOf(refusals, wanted)).toMatchObject([
      {
        code: "no-room",
        message: expect.stringMatching(/host "many.test": the zone is full; requests get 503$/),
      },
    ])
    expect(fake.zones.route_parts.size).toBe(0)
  })

  test("in a full zone is served as far as it fits, and keeps that until there is room", async () => {
    fake.room = 100
    const wanted = withHost(many)
    const { inForce, refusals } = await to(wanted)
    const fitting = served().length
    expect(fitting).toBeGreaterThan(4000)
    expect(problemsOf(refusals, wanted)).toMatchObject([
      { object: { kind: "Ingress", name: "many.test" }, code: "no-room" },
    ])
    expect(problemsOf(refusals, wanted)[0]?.message).toContain(`and ${20_000 - fitting - 1} more`)
    const again = await to(wanted, inForce)
    expect(served()).toHaveLength(fitting)
    expect(again.inForce).toEqual(inForce)
    fake.room = Number.POSITIVE_INFINITY
    expect((await to(wanted, again.inForce)).refusals).toEqual([])
    expect(served()).toEqual(paths)
    expect(fake.missing).toEqual([])
  })
})
