import { expect, test } from "vitest"
import { readGatewayParameters } from "../../../controller/model/gateway-parameters.ts"
import type { ConfigMap } from "../../../controller/model/objects/config-map.ts"
import { meta } from "../../../harness/objects.ts"

const ref = (name: string, kind = "ConfigMap", group = "") => ({ group, kind, namespace: "shop", name })

function read(data: Readonly<Record<string, string>>, ...refs: readonly ReturnType<typeof ref>[]) {
  const map = (name: string, data: ConfigMap["data"]): [string, ConfigMap] => [
    `shop/${name}`,
    { kind: "ConfigMap", meta: meta(`shop/${name}`), data },
  ]
  const ofClass = map("class", { "service-type": "NodePort", "external-traffic-policy": "Local" })
  return readGatewayParameters(refs, new Map([ofClass, map("own", data)]))
}

test("a Gateway's take the place of its class's, key by key", () => {
  expect(read({})).toEqual({ kind: "read", parameters: {} })
  expect(read({ "service-type": "ClusterIP" }, ref("class"), ref("own"))).toEqual({
    kind: "read",
    parameters: { serviceType: "ClusterIP", externalTrafficPolicy: "Local" },
  })
})

test.each([
  [{}, ref("own", "Params", "a.test"), 'it names a Params of group "a.test"; name a ConfigMap'],
  [{}, ref("none"), 'ConfigMap "shop/none" of parametersRef: it does not exist'],
  [{ "service-typ": "NodePort" }, ref("own"), 'key "service-typ" is none of service-type,'],
  [
    { "service-type": "ExternalName" },
    ref("own"),
    'key "service-type" has to be LoadBalancer, NodePort or ClusterIP',
  ],
  [{ "load-balancer-class": "a b" }, ref("own"), 'key "load-balancer-class" has to be a name'],
])("%j of %j cannot be used", (data, named, words) => {
  expect(read(data, named)).toMatchObject({ kind: "refused", message: expect.stringContaining(words) })
})
