import { describe, expect, test } from "vitest"
import { type Api, ApiFailure, type ApiRequest } from "../../../../controller/input/cluster/api.ts"
import { ClusterStatuses } from "../../../../controller/input/cluster/statuses.ts"
import type { StatusAddress } from "../../../../controller/model/objects/status-address.ts"
import type { Json } from "../../../../harness/manifests.ts"

const { signal } = new AbortController()
const path = "/apis/networking.k8s.io/v1/namespaces/shop/ingresses/cart"
const ip = (text: string): StatusAddress => ({ ip: text, hostname: "" })
const name = (text: string): StatusAddress => ({ ip: "", hostname: text })

function cart(version: string, ...ingress: readonly Json[]): Json {
  const metadata = { namespace: "shop", name: "cart", resourceVersion: version, annotations: { a: "b" } }
  return { kind: "Ingress", metadata, spec: { rules: [] }, status: { loadBalancer: { ingress } } }
}

/** An API server that gives these answers, one after the other. */
function scripted(...answers: readonly (Json | ApiFailure)[]) {
  const left = [...answers]
  const asked: ApiRequest[] = []
  const api: Api = {
    async send(request) {
      asked.push(request)
      const answer = left.shift()
      if (answer instanceof ApiFailure) throw answer
      return answer
    },
    async *watch() {},
  }
  return { statuses: new ClusterStatuses(api, "wick.dev/gateway").Ingress, asked }
}

const refused = (status: number) => new ApiFailure(`status ${status}`, { status })
const methods = (asked: readonly ApiRequest[]) => asked.map(({ method }) => method)

describe("the current status", () => {
  test("is what was seen last; there is none of an Ingress that is not there", () => {
    const { statuses } = scripted()
    expect(statuses.current("shop/cart")).toBeUndefined()
    statuses.observe("shop/cart", cart("1", { ip: "192.0.2.1" }, { hostname: "lb.test" }))
    expect(statuses.current("shop/cart")).toEqual([ip("192.0.2.1"), name("lb.test")])
    statuses.observe("shop/cart", { kind: "Ingress", metadata: {}, status: null })
    expect(statuses.current("shop/cart")).toEqual([])
    statuses.observe("shop/cart", undefined)
    expect(statuses.current("shop/cart")).toBeUndefined()
  })

  test("is one list for all Ingresses that say the same", () => {
    const { statuses } = scripted()
    const names = Array.from({ length: 100 }, (_, at) => `shop/cart-${at}`)
    for (const name of names) statuses.observe(name, cart("1", { ip: "192.0.2.1" }))
    expect(new Set(names.map((name) => statuses.current(name))).size).toBe(1)
  })
})

describe("writing", () => {
  test("replaces the status and leaves everything else, with the version that was read", async () => {
    const { statuses, asked } = scripted(cart("7"), cart("8"))
    statuses.observe("shop/cart", cart("6"))
    await statuses.write(
      "shop/cart",
      [ip("192.0.2.1"), name("lb.test"), { ip: "::1", hostname: "b" }],
      signal,
    )
    const ingress = [{ ip: "192.0.2.1" }, { hostname: "lb.test" }, { ip: "::1", hostname: "b" }]
    const body = { ...cart("7"), status: { loadBalancer: { ingress } } }
    expect(asked).toEqual([
      { method: "GET", path },
      { method: "PUT", path: `${path}/status`, body },
    ])
    expect(statuses.current("shop/cart")).toHaveLength(3)
  })

  test("leaves in the status what others have written", async () => {
    const ports = [{ port: 443, protocol: "TCP" }]
    const found = cart("7", { ip: "192.0.2.1", ports }, { ip: "192.0.2.9", ports })
    const foreign = { conditions: [{ type: "Theirs" }] }
    const { loadBalancer } = found.status as { loadBalancer: Json }
    const status = { ...foreign, loadBalancer: { ...loadBalancer, note: "theirs" } }
    const { statuses, asked } = scripted({ ...found, status }, cart("8"))
    await statuses.write("shop/cart", [name("lb.test"), ip("192.0.2.1")], signal)
    const ingress = [{ hostname: "lb.test" }, { ip: "192.0.2.1", ports }]
    expect(asked[1]?.body).toMatchObject({
      status: { ...foreign, loadBalancer: { ingress, note: "theirs" } },
    })
  })

  test("is not needed when it was done already, in whatever order", async () => {
    const { statuses, asked } = scripted(cart("7", { hostname: "lb.test" }, { ip: "192.0.2.1" }))
    statuses.observe("shop/cart", cart("6"))
    await statuses.write("shop/cart", [ip("192.0.2.1"), name("lb.test")], signal)
    expect(methods(asked)).toEqual(["GET"])
    expect(statuses.current("shop/cart")).toHaveLength(2)
  })

  test("begins again when somebody else wrote in between", async () => {
    const { statuses, asked } = scripted(cart("7"), refused(409), cart("8"), cart("9"))
    await statuses.write("shop/cart", [ip("192.0.2.1")], signal)
    expect(methods(asked)).toEqual(["GET", "PUT", "GET", "PUT"])
    expect(asked[3]?.body).toMatchObject({ metadata: { resourceVersion: "8" } })
  })

  test("does not try a sixth time", async () => {
    const attempts = Array.from({ length: 5 }, () => [cart("7"), refused(409)]).flat()
    const { statuses } = scripted(...attempts)
    const written = statuses.write("shop/cart", [ip("192.0.2.1")], signal)
    await expect(written).rejects.toMatchObject({
      code: "status-refused",
      message: 'Cannot write the status of Ingress "shop/cart": status 409',
    })
  })

  test.each([
    [[refused(404)]],
    [[cart("7"), refused(404)]],
  ])("of what is gone is no failure: %#", async (answers) => {
    const { statuses } = scripted(...answers)
    await statuses.write("shop/cart", [ip("192.0.2.1")], signal)
    expect(statuses.current("shop/cart")).toBeUndefined()
  })

  test.each([
    [400, "status-refused"],
    [403, "status-refused"],
    [422, "status-refused"],
    [401, "api-failed"],
    [429, "api-failed"],
    [500, "api-failed"],
    [0, "api-failed"],
  ])("an answer %i is a failure %s, and what was seen stays", async (status, code) => {
    const { statuses } = scripted(cart("7"), refused(status))
    statuses.observe("shop/cart", cart("6", { ip: "192.0.2.9" }))
    await expect(statuses.write("shop/cart", [ip("192.0.2.1")], signal)).rejects.toMatchObject({ code })
    expect(statuses.current("shop/cart")).toEqual([ip("192.0.2.9")])
  })

  test("what was seen meanwhile is newer", async () => {
    const { statuses } = scripted(cart("7"), cart("8"))
    statuses.observe("shop/cart", cart("6"))
    const written = statuses.write("shop/cart", [ip("192.0.2.1")], signal)
    statuses.observe("shop/cart", cart("9", { ip: "192.0.2.9" }))
    await written
    expect(statuses.current("shop/cart")).toEqual([ip("192.0.2.9")])
  })
})
