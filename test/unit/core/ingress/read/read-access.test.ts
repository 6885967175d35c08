import { describe, expect, test } from "vitest"
import { addressList } from "../../../../../controller/core/options/address-list.ts"
import type { AddressList } from "../../../../../controller/model/access.ts"
import type { Host } from "../../../../../controller/model/route.ts"
import {
  ingress,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

function list(text: string): AddressList {
  const parsed = addressList.parse(text)
  if (parsed.kind === "refused") throw new Error(parsed.reason)
  return parsed.value
}

const office = list("10.0.0.0/8")
const spam = list("192.0.2.0/24")

function modelOf(own: typeof settings, ...ingresses: readonly ReturnType<typeof ingress>[]) {
  const backend = [service("demo/shop", "80"), slice("demo/shop", ["10.0.0.1"], "80")]
  return translate(snapshot(...ingresses, ...backend), own, options)
}

function routesOf(hosts: readonly Host[], name = "shop.test") {
  return hosts.filter(({ host }) => host === name).flatMap(({ routes }) => routes)
}

/** What the routes of shop.test say of access, and their status. */
function access(annotations: Readonly<Record<string, string>>, own = settings) {
  const { model, problems } = modelOf(own, ingress("demo/shop", "shop.test/cart → shop:80", annotations))
  const said = routesOf(model.live.hosts).map(({ access, status }) => access ?? status ?? "open")
  const lists = model.live.addressLists.map(({ ranges }) => ranges.join())
  return { said, lists, codes: problems.map(({ code }) => code) }
}

describe("an Ingress with lists", () => {
  test("has them on every path, the implicit one too", () => {
    const both = { allow: office.id, deny: spam.id }
    expect(
      access({ "allowlist-source-range": "10.0.0.0/8", "denylist-source-range": "192.0.2.0/24" }),
    ).toEqual({
      said: [both, both],
      lists: [office, spam].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ ranges }) => ranges.join()),
      codes: [],
    })
  })

  test("may use the older name", () => {
    const [said] = access({ "whitelist-source-range": " 10.9.9.9/8 ,10.0.0.0/8" }).said
    expect(said).toEqual({ allow: office.id })
  })

  test("may have a list that goes over several lines", () => {
    const [said] = access({ "allowlist-source-range": "10.0.0.0/8,\n  10.0.0.1/8 ,\r\n10.1.0.0/8\n" }).said
    expect(said).toEqual({ allow: office.id })
    const { codes } = access({ "allowlist-source-range": "10.0.0.0/8\n10.0.0.1" })
    expect(codes).toEqual(["annotation-refused"])
  })

  test("says how its checks combine only where there are any", () => {
    expect(access({ satisfy: "any" }).said).toEqual([404, "open"])
    const [said] = access({ satisfy: "any", "denylist-source-range": "192.0.2.0/24" }).said
    expect(said).toEqual({ deny: spam.id, satisfy: "any" })
    expect(access({ satisfy: "all", "denylist-source-range": "192.0.2.0/24" }).said[0]).toEqual({
      deny: spam.id,
    })
  })

  test("is closed by one bad item, whatever the others are", () => {
    for (const name of ["allowlist-source-range", "denylist-source-range"]) {
      for (const text of [
        "invalid.com",
        "10.0.0.0/8,invalid.com",
        "10.0.0.0/33",
        "10.0.0.0/8,",
        "fe80::1%eth0",
      ]) {
        expect(access({ [name]: text })).toEqual({
          said: [503, 503],
          lists: [],
          codes: ["annotation-refused"],
        })
      }
    }
  })

  test("whose satisfy cannot be read needs all of them", () => {
    const { said, codes } = access({ satisfy: "some", "allowlist-source-range": "10.0.0.0/8" })
    expect([said[0], codes]).toEqual([{ allow: office.id }, ["annotation-refused"]])
  })
})

describe("lists of the ConfigMap", () => {
  const both = { ...settings, allowedClients: office, deniedClients: spam }

  test("hold where the Ingress has none of its own; an empty one closes", () => {
    const wanted = { allow: office.id, deny: spam.id }
    expect(access({}, both).said).toEqual([wanted, wanted])
    expect(access({ "allowlist-source-range": "" }, both).said).toEqual([503, 503])
  })

  test("are replaced by those of the Ingress, each by its own, not put together", () => {
    const own = list("172.16.0.0/12")
    expect(access({ "allowlist-source-range": "172.16.0.0/12" }, both).said[0]).toEqual({
      allow: own.id,
      deny: spam.id,
    })
    expect(access({ "denylist-source-range": "172.16.0.0/12" }, both).said[0]).toEqual({
      allow: office.id,
      deny: own.id,
    })
  })

  test("that cannot be read close, but for Ingresses with lists of their own", () => {
    const closed = { ...settings, allowedClients: "closed" } as const
    expect(access({}, closed).said).toEqual([503, 503])
    expect(access({ "whitelist-source-range": "10.0.0.0/8" }, closed).said[0]).toEqual({ allow: office.id })
    expect(access({ "denylist-source-range": "10.0.0.0/8" }, closed).said).toEqual([503, 503])
  })

  test("leave the default backend open: no Ingress is there to protect", () => {
    const { hosts, addressLists } = modelOf(both).model.live
    expect([routesOf(hosts, "_").map(({ access }) => access), addressLists]).toEqual([[undefined], []])
  })
})

test("equal lists are one, and it goes with the last route that names it", () => {
  const a = ingress("demo/a", "a.test/ → shop:80", { "allowlist-source-range": "10.0.0.0/8" })
  const b = ingress("demo/b", "b.test/ → shop:80", { "denylist-source-range": "10.0.0.1/8" })
  const lists = (...some: readonly ReturnType<typeof ingress>[]) =>
    modelOf(settings, ...some).model.live.addressLists
  expect(lists(a, b)).toEqual([office])
  expect(lists(b)).toEqual([office])
  expect(lists()).toEqual([])
})

test("redirects and the status of a missing backend come with the checks, which nginx asks after them", () => {
  const annotations = { "allowlist-source-range": "10.0.0.0/8", "permanent-redirect": "https://else.test" }
  const { model } = modelOf(settings, ingress("demo/shop", "shop.test/ → shop:80", annotations))
  expect(routesOf(model.live.hosts)[0]).toMatchObject({
    access: { allow: office.id },
    redirect: { code: 301, to: "https://else.test" },
  })
})
