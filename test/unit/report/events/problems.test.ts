import { describe, expect, test } from "vitest"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
import type { Problem } from "../../../../controller/model/problem.ts"
import { type Objects, problemEvents } from "../../../../controller/report/events/problems.ts"
import { ingress, service, slice, snapshot } from "../../../../harness/objects.ts"

const objects: Objects = snapshot(
  ingress("shop/one", "one.test/ → cart:80"),
  service("shop/cart", "80"),
  slice("shop/cart", ["10.0.0.1"], "8080"),
)

function problem(object: string, part: Partial<Problem> = {}): Problem {
  const [kind = "", namespace = "", name = ""] = object.split(/[ /]/)
  return { object: { kind, namespace, name }, field: "spec", code: "host-refused", message: "Why", ...part }
}

describe("Events of Problems", () => {
  test("are Warnings with the Problem's sentence, on the object that it is about", () => {
    expect(problemEvents([problem("Ingress shop/one")], objects)).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "one", uid: "uid-of-shop/one" },
        type: "Warning",
        reason: "HostRefused",
        message: "Why",
      },
    ])
  })

  test.each([
    ["metadata.annotations", "AnnotationParsingFailed"],
    ['metadata.annotations["a/b"]', "AnnotationParsingFailed"],
    ["spec.rules[0].host", "HostRefused"],
    ["", "HostRefused"],
  ])("about %j have the reason %s", (field, reason) => {
    const [event] = problemEvents([problem("Ingress shop/one", { field })], objects)
    expect(event?.reason).toBe(reason)
  })

  test("about a balancing policy have its reason, whichever annotation names it", () => {
    const faulty = problem("Ingress shop/one", {
      field: 'metadata.annotations["a/load-balance"]',
      code: "balancing-policy-faulty",
    })
    expect(problemEvents([faulty], objects).map(({ reason }) => reason)).toEqual(["BalancingPolicyFaulty"])
  })

  test.each(["Service shop/cart", "EndpointSlice shop/cart-slice"])("are told on a %s, too", (name) => {
    expect(problemEvents([problem(name)], objects).map(({ object }) => object.uid)).toEqual([
      `uid-of-${name.split(" ")[1]}`,
    ])
  })

  test("are told on objects of the Gateway API", () => {
    const apiVersion = "gateway.networking.k8s.io/v1"
    const metadata = { namespace: "shop", name: "web", uid: "uid-of-web" }
    const read = parseObject(
      { apiVersion, kind: "HTTPRoute", metadata, spec: { rules: [] } },
      { firstSeenMs: () => 0, origin: "" },
    )
    if (read.kind !== "object" || read.object.kind !== "HTTPRoute") throw new Error(JSON.stringify(read))
    const httpRoutes = new Map([["shop/web", read.object]])
    const withRoute = { ...objects, gateway: { ...objects.gateway, httpRoutes } }
    const found = problemEvents([problem("HTTPRoute shop/web"), problem("Gateway shop/web")], withRoute)
    expect(found.map(({ object }) => `${object.kind} ${object.uid}`)).toEqual(["HTTPRoute uid-of-web"])
  })

  test.each([
    "Ingress shop/gone",
    "Secret shop/gone",
    "File /cart.yaml",
    "IngressClass x",
    "Host a.test",
  ])("of %s, which is not among the objects, are none", (name) => {
    expect(problemEvents([problem(name)], objects)).toEqual([])
  })

  test("hold 1024 bytes at most, and whole characters", () => {
    const message = "ä€😀".repeat(1000)
    const [event] = problemEvents([problem("Ingress shop/one", { message })], objects)
    const told = event?.message ?? ""
    expect(Buffer.byteLength(told)).toBeLessThanOrEqual(1024)
    expect(Buffer.byteLength(told)).toBeGreaterThan(1024 - 5)
    expect(told.isWellFormed()).toBe(true)
    expect(message.startsWith(told.slice(0, -1))).toBe(true)
  })
})
