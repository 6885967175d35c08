// Lists that routes name: one that is refused closes what it should guard.
import { beforeEach, describe, expect, test } from "vitest"
import type { Live } from "../../../../controller/model/model.ts"
import type { Route } from "../../../../controller/model/route.ts"
import { problemsOf } from "../../../../controller/output/control/refusal.ts"
import { host } from "./live.ts"
import { type StartedControl, shop, startControl } from "./started-control.ts"

let fake: StartedControl["fake"]
let to: StartedControl["to"]
beforeEach(async () => {
  const started = await startControl()
  ;({ fake, to } = started)
  return started.stop
})

describe("address lists", () => {
  const guarded = (id: string): Live => ({
    ...shop,
    addressLists: [{ id, ranges: ["10.0.0.0/8"] }],
    hosts: shop.hosts.map((host) => ({
      ...host,
      routes: host.routes.map((route) => ({ ...route, access: { allow: id } })),
    })),
  })
  const lists = () => [...fake.zones.address_lists.keys()]

  test("one that takes the place of another is one post, and nobody names it before or after", async () => {
    await to(guarded("l1"))
    const { length } = fake.posted
    expect((await to(guarded("l2"), guarded("l1"))).refusals).toEqual([])
    expect(fake.posted.slice(length)).toMatchObject([
      { address_lists: { set: [{ id: "l2", ranges: ["10.0.0.0/8"] }], remove: ["l1"] } },
    ])
    expect(lists()).toEqual(["l2"])
  })

  test("one that is refused closes the routes that name it, whatever they were, until it is taken", async () => {
    await to(guarded("l1"))
    fake.refuses.add("l2")
    const { inForce, refusals } = await to(guarded("l2"), guarded("l1"))
    expect(lists()).toEqual([])
    expect(inForce.hosts.flatMap(({ routes }) => routes.map(({ status }) => status))).toEqual([503, 503])
    expect(JSON.stringify([...fake.zones.routes.values()])).not.toMatch(/l1|l2/)
    const [ofList, ...ofPaths] = problemsOf(refusals, guarded("l2"))
    expect(ofList).toEqual({
      object: { kind: "Ingress", namespace: "shop", name: "a.test" },
      field: "metadata.annotations",
      code: "refused",
      message: 'Cannot serve address list "l2": l2 is bad',
    })
    expect(ofPaths.map(({ message }) => message)).toEqual(
      ["a.test", "b.test"].map(
        (name) =>
          `Cannot serve path "/" of host "${name}": a certificate or list that it names was refused; requests get 503`,
      ),
    )
    fake.refuses.clear()
    expect(await to(guarded("l2"), inForce)).toEqual({ inForce: guarded("l2"), refusals: [] })
    expect(lists()).toEqual(["l2"])
  })

  test("one of clients that are not limited is told to the Ingress with the limits", async () => {
    const wanted = guarded("l2")
    const hosts = wanted.hosts.map((host) => ({
      ...host,
      routes: host.routes.map(({ access: _, ...route }) => ({
        ...route,
        limits: { key: "k", rps: 1, exempt: "l2" },
      })),
    }))
    fake.refuses.add("l2")
    const { refusals } = await to({ ...wanted, hosts })
    expect(problemsOf(refusals, { ...wanted, hosts })[0]).toMatchObject({
      object: { kind: "Ingress", namespace: "shop", name: "a.test" },
    })
  })

  describe.each([
    ["few paths", 0],
    ["many paths", 1000],
  ])("one that is refused, of a host with %s", (_, count) => {
    const others = Array.from({ length: count }, (_, at) => `/other/${at}`)
    const routesTo = (to: string, paths: Readonly<Record<string, string | undefined>>) =>
      [...others.map((path) => [path, undefined] as const), ...Object.entries(paths)].flatMap(
        ([path, allow]) =>
          host("shared.test", to).routes.map(
            (route): Route => ({ ...route, path, ...(allow && { access: { allow } }) }),
          ),
      )
    const withRoutes = (to: string, paths: Readonly<Record<string, string | undefined>>): Live => ({
      ...shop,
      addressLists: [...new Set(Object.values(paths))]
        .filter((id) => id !== undefined)
        .map((id) => ({ id, ranges: ["10.0.0.0/8"] })),
      hosts: [...shop.hosts, { ...host("shared.test", to), routes: routesTo(to, paths) }],
    })
    const before = withRoutes("a", { "/guarded": "l1", "/open": undefined, "/shop": undefined })
    const wanted = withRoutes("b", { "/guarded": "l2", "/new": "l2", "/open": "l2", "/shop": undefined })
    const served = ({ hosts }: Live) =>
      hosts
        .find((it) => it.host === "shared.test")
        ?.routes.filter(({ path }) => !path.startsWith("/other"))
        .map(({ path, backend, access, status }) => [path, status ?? backend, access?.allow].join(" "))

    test("holds its own routes back alone, and nothing is open that should be guarded", async () => {
      await to(before)
      fake.refuses.add("l2")
      const { inForce, refusals } = await to(wanted, before)
      const ofShared = ["/guarded 503 ", "/new 503 ", "/open 503 ", "/shop b "]
      expect(served(inForce)).toEqual(ofShared)
      expect(lists()).toEqual([])
      expect(problemsOf(refusals, wanted).map(({ message }) => message)).toEqual([
        'Cannot serve address list "l2": l2 is bad',
        expect.stringMatching(/path "\/guarded" and 2 more of host "shared.test": .*; requests get 503/),
      ])
      fake.refuses.clear()
      expect(await to(wanted, inForce)).toEqual({ inForce: wanted, refusals: [] })
      expect(lists()).toEqual(["l2"])
      expect(fake.missing).toEqual([])
    })
  })

  test("a host that is refused keeps the list that its record names", async () => {
    await to(guarded("l1"))
    fake.refuses.add("a.test")
    const { inForce } = await to(guarded("l2"), guarded("l1"))
    expect(lists()).toEqual(expect.arrayContaining(["l1"]))
    fake.refuses.clear()
    await to(guarded("l2"), inForce)
    expect(lists()).toEqual(["l2"])
  })
})
