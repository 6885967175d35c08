import { expect, test } from "vitest"
import { routeSourceName, routeSourceOf } from "../../../controller/model/route-source.ts"

test.each([
  ["Ingress", "web", "web"],
  ["HTTPRoute", "web", "httproute/web"],
  ["GRPCRoute", "a.b", "grpcroute/a.b"],
  ["", "", ""],
])("a route of %s %j is by %j, and back", (kind, name, text) => {
  expect(routeSourceName({ kind, name })).toBe(text)
  expect(routeSourceOf({ namespace: "shop", ingressName: text })).toEqual({
    kind: kind || "Ingress",
    namespace: "shop",
    name,
  })
})
