import { expect, test } from "vitest"
import { endpointFamilies } from "../../../../controller/report/observe/endpoints.ts"

const identity = { controllerClass: "c", namespace: "edge", pod: "wick-0" }
const common = 'controller_class="c",controller_namespace="edge",controller_pod="wick-0"'

test("what is known of endpoints is a gauge each, what is not known is left out", () => {
  const families = endpointFamilies(
    [
      {
        name: "shop-80",
        algorithm: "ewma",
        endpoints: [
          { endpoint: "10.0.0.1:80", weight: 1, scoreSeconds: 0.25, failures: 0, ejectedMs: 1500 },
          { endpoint: "10.0.0.2:80", weight: 1, scoreSeconds: 0, failures: 3, ejectedMs: 0 },
        ],
      },
      { name: "blog-80", algorithm: "p2c", endpoints: [{ endpoint: "[::1]:80", weight: 1, running: 0 }] },
    ],
    identity,
  )
  const series = Object.fromEntries(families.map(({ name, series }) => [name, [...series]]))
  const labels = (backend: string, endpoint: string) =>
    `${common},backend="${backend}",endpoint="${endpoint}"`
  expect(series).toEqual({
    wick_endpoint_running: [[labels("blog-80", "[::1]:80"), 0]],
    wick_endpoint_ewma_seconds: [[labels("shop-80", "10.0.0.1:80"), 0.25]],
    wick_endpoint_ejected: [
      [labels("shop-80", "10.0.0.1:80"), 1],
      [labels("shop-80", "10.0.0.2:80"), 0],
    ],
  })
})
