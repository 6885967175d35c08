import { expect, test } from "vitest"
import { readGatewayParameters } from "../../../controller/model/gateway-parameters.ts"
import type { ConfigMap } from "../../../controller/model/objects/config-map.ts"
import { meta } from "../../../harness/objects.ts"

const ref = (name: string, kind = "ConfigMap", group = "") => ({ group, kind, namespace: "shop", name })

function read(data: Readonly<Record<string, string>>, named = ref("own")) {
  const own: ConfigMap = { kind: "ConfigMap", meta: meta("shop/own"), data }
  return readGatewayParameters(named, new Map([["shop/own", own]]))
}

test("every key is a field", () => {
  const data = {
    placement: "shared",
    "service-type": "NodePort",
    "external-traffic-policy": "Local",
    "load-balancer-class": "a.test/internal",
    http3: "true",
  }
  expect(read(data)).toEqual({
    kind: "read",
    parameters: {
      placement: "shared",
      serviceType: "NodePort",
      externalTrafficPolicy: "Local",
      loadBalancerClass: "a.test/internal",
      http3: "true",
    },
  })
  expect(readGatewayParameters(undefined, new Map())).toEqual({ kind: "read", parameters: {} })
})

test.each([
  [{}, ref("own", "Params", "a.test"), 'Params "shop/own" as parameters: write kind ConfigMap'],
  [{}, ref("none"), 'ConfigMap "shop/none" as parameters: it does not exist'],
  [{ "service-typ": "NodePort" }, ref("own"), 'key "service-typ" is unknown: write placement, service-type'],
  [
    { "service-type": "ExternalName" },
    ref("own"),
    'data.service-type has to be LoadBalancer, NodePort or ClusterIP, not "ExternalName"',
  ],
  [{ "load-balancer-class": "a b" }, ref("own"), "data.load-balancer-class has to be a name"],
])("%j of %j cannot be used", (data, named, words) => {
  expect(read(data, named)).toMatchObject({ kind: "refused", message: expect.stringContaining(words) })
})
