// What older versions of Kubernetes lack is left out for them.
import { expect, test } from "vitest"
import { renderAll } from "./support/helm.ts"

const values = JSON.stringify({
  controller: {
    autoscaling: { enabled: true },
    resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
    service: { trafficDistribution: "PreferClose" },
  },
})

test.each([
  { kubeVersion: "v1.21.0", expected: ["autoscaling/v2beta2"] },
  { kubeVersion: "v1.30.4", expected: ["autoscaling/v2"] },
  { kubeVersion: "v1.31.0", expected: ["autoscaling/v2", "trafficDistribution"] },
  // as clouds write them
  { kubeVersion: "v1.33.1-gke.1386000", expected: ["autoscaling/v2", "trafficDistribution", "resizePolicy"] },
])("Kubernetes $kubeVersion: $expected", ({ kubeVersion, expected }) => {
  const [rendering] = renderAll([{ values, kubeVersion }])
  const text = JSON.stringify(rendering?.objects)
  const known = ["autoscaling/v2beta2", "autoscaling/v2", "trafficDistribution", "resizePolicy"]
  expect(known.filter((word) => text.includes(`"${word}"`))).toEqual(expected)
})
