import { describe, expect, test } from "vitest"
import { Translator } from "../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../controller/model/facts.ts"
import {
  ingress,
  options,
  type Part,
  service,
  settings,
  slice,
  snapshot,
  tlsSecret,
} from "../../../../harness/objects.ts"
import { site, twoFrontEnds } from "./second-front-end.ts"

const cart = [service("shop/cart", "80"), slice("shop/cart", ["10.0.0.1"], "8080")]

function passOver(...objects: readonly Part[]) {
  const world = snapshot(...objects)
  return new Translator(options, twoFrontEnds).translate(world, { ...noFacts, ...world }, settings)
}

const places = ({ model }: ReturnType<typeof passOver>) =>
  model.live.hosts.map(({ server, host, routes }) => [
    server,
    host,
    routes.map(({ path, backend }) => `${path} → ${backend}`).join(),
  ])

describe("a second front end", () => {
  test("needs nothing of the assembler but its declarations", () => {
    const { model, problems } = passOver(
      ...cart,
      site("shop/site", "one.test", ["/ → cart:80", "/api → none:80"], { secret: "tls" }),
      tlsSecret("shop/tls", { names: ["one.test"] }),
    )
    const { backends, hosts, tlsHosts, certificates } = model.live
    expect(backends).toEqual([
      {
        name: "site:shop/cart:80",
        loadBalance: "round_robin",
        endpoints: [{ address: "10.0.0.1", port: 8080 }],
      },
      { name: "site:shop/none:80", loadBalance: "round_robin", endpoints: [] },
    ])
    expect(hosts.find(({ host }) => host === "one.test")).toMatchObject({
      server: "main",
      routes: [
        {
          path: "/",
          backend: "site:shop/cart:80",
          namespace: "shop",
          ingressName: "site/site",
          servicePort: "80",
        },
        { path: "/api", backend: "site:shop/none:80", status: 503 },
      ],
    })
    expect(tlsHosts).toEqual([{ host: "one.test", owner: "shop", certificates: ["id-of-one_test-rsa"] }])
    expect(certificates).toHaveLength(1)
    expect(problems).toEqual([
      {
        object: { kind: "Site", namespace: "shop", name: "site" },
        field: "rules[1].service",
        code: "backend-unusable",
        message: 'Cannot reach Service "shop/none": it does not exist; requests get 503',
      },
    ])
  })

  test("declares conditions, and several backends by weight", () => {
    const { model, problems } = passOver(
      ...cart,
      site("shop/site", "one.test", ["/ → cart:80", "/?POST → cart:80*9 none:80*1"]),
    )
    const { hosts, backends } = model.live
    const service = { servicePort: "80" }
    expect(hosts.find(({ host }) => host === "one.test")?.routes).toMatchObject([
      {
        path: "/",
        conditions: [{ of: "method", value: "POST" }],
        backend: "site:shop/cart:80",
        split: [
          { backend: "site:shop/cart:80", weight: 9, serviceName: "cart", ...service },
          { backend: "site:shop/none:80", weight: 1, serviceName: "none", ...service, status: 503 },
        ],
      },
      { path: "/", backend: "site:shop/cart:80" },
    ])
    expect(hosts.find(({ host }) => host === "one.test")?.routes[0]?.status).toBeUndefined()
    expect(backends.map(({ name }) => name)).toEqual(["site:shop/cart:80", "site:shop/none:80"])
    expect(problems.map(({ field, message }) => [field, message])).toEqual([
      [
        "rules[1].services[1]",
        'Cannot reach Service "shop/none": it does not exist; its share of the requests gets 503',
      ],
    ])
  })

  test("has an order of precedence of its own", () => {
    const rules = "/ → cart:80"
    const [sites, ingresses] = [
      passOver(...cart, site("shop/a", "one.test", rules), site("shop/b", "one.test", rules)),
      passOver(...cart, ingress("shop/a", "one.test/ → cart:80"), ingress("shop/b", "one.test/ → cart:80")),
    ].map(({ problems }) => problems.map(({ object }) => object.name))
    expect([sites, ingresses]).toEqual([["b"], ["a"]])
  })

  test("shares the data plane with the first one, which has the hosts that both declare", () => {
    const translation = passOver(
      ...cart,
      ingress("shop/web", "one.test/ → cart:80"),
      site("shop/site", "one.test", "/x → cart:80"),
      site("shop/other", "two.test", "/ → cart:80"),
    )
    expect(places(translation)).toEqual([
      ["main", "_", "/ → upstream-default-backend"],
      ["main", "one.test", "/ → shop-cart-80"],
      ["main", "two.test", "/ → site:shop/cart:80"],
    ])
    expect(translation.problems).toMatchObject([
      {
        object: { kind: "Site", name: "site" },
        code: "path-taken",
        message: expect.stringMatching(/^Cannot serve host "one.test": Ingress "shop\/web" has it already/),
      },
    ])
  })

  test("may have the host of every other name as long as no Ingress does, and hosts of listeners of its own", () => {
    const own = site("shop/all", "_", "/ → cart:80")
    const behind = site("shop/behind", "one.test", "/ → cart:80", { listener: "http:*:8000" })
    expect(places(passOver(...cart, own, behind, ingress("shop/web", "one.test/ → cart:80")))).toEqual([
      ["http:*:8000", "one.test", "/ → site:shop/cart:80"],
      ["main", "_", "/ → site:shop/cart:80"],
      ["main", "one.test", "/ → shop-cart-80"],
    ])
    const taken = passOver(...cart, own, ingress("shop/rest", "* → cart:80"))
    expect(places(taken)).toEqual([["main", "_", "/ → shop-cart-80"]])
    expect(taken.problems.map(({ code }) => code)).toEqual(["path-taken"])
  })

  test("is counted by its objects", () => {
    const { observed } = passOver(
      ...cart,
      ingress("shop/web", "one.test/ → cart:80"),
      site("shop/site", "two.test", "/ → none:80"),
    )
    expect(
      [...observed.sources()].map(({ source, lacksService }) => [source.kind, source.name, lacksService]),
    ).toEqual([
      ["Ingress", "web", false],
      ["Site", "site", true],
    ])
  })
})
