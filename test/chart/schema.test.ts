// What cannot be meant is refused before anything is installed; what ingress-nginx's chart takes is not.
import { describe, expect, test } from "vitest"
import { type Rendering, renderAll } from "./support/helm.ts"
import { valuesOf } from "./support/rows.ts"

function renderEach(sets: readonly (readonly [path: string, value: unknown])[]): Rendering[] {
  return renderAll(sets.map(([path, value]) => ({ values: JSON.stringify(valuesOf({ [path]: value })) })))
}

describe("refused:", () => {
  const refused = [
    ["controller.replicaCount", "many"],
    ["controller.replicaCount", 1.5],
    ["controller.hostNetwork", "false"],
    ["controller.metrics.enabled", "yes"],
    ["controller.kind", "Both"],
    ["controller.tolerations", { key: "edge" }],
    ["controller.extraArgs", ["--v=2"]],
    ["controller.config", "use-gzip: true"],
    ["controller.service.loadBalancerSourceRanges", "10.0.0.0/8"],
    ["controller.image.tag", ["1.0"]],
    ["controller.image", "wick:1"],
    ["tcp", ["9000"]],
    ["defaultBackend.port", "http"],
  ] as const
  const renderings = renderEach(refused)
  test.each(refused.map(([path, value], index) => ({ path, value, index })))("$path: $value", ({
    path,
    index,
  }) => {
    expect(renderings[index]?.error).toContain(path.replaceAll(".", "/"))
  })
})

describe("taken:", () => {
  const taken = [
    ["controller.replicaCount", "3"],
    ["controller.metrics.enabled", "true"],
    ["controller.nodeSelector", null],
    ["controller.service.annotations", null],
    ["controller.ingressClassResource.annotations", null],
    ["controller.hostPort.ports", null],
    ["controller.livenessProbe", null],
    ["controller.admissionWebhooks.annotations", null],
    ["controller.maxUnavailable", "30%"],
    ["controller.image.tag", 1.5],
    ["controller.service.nodePorts.http", "30080"],
    ["controller.hostname", "edge"],
    ["controller.unheardOf", { a: 1 }],
    ["global.storageClass", "fast"],
  ] as const
  const renderings = renderEach(taken)
  test.each(taken.map(([path, value], index) => ({ path, value, index })))("$path: $value", ({ index }) => {
    expect(renderings[index]?.error).toBe("")
  })
})

test("rbac.scope needs controller.scope.enabled", () => {
  const [rendering] = renderEach([["rbac.scope", true]])
  expect(rendering?.error).toContain("rbac.scope needs controller.scope.enabled")
})
