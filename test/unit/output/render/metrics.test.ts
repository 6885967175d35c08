import { expect, test } from "vitest"
import {
  endpointMetricFields,
  goNumber,
  metricFields,
} from "../../../../controller/output/render/http/metrics.ts"

const metrics = {
  identity: { controllerClass: "k8s.io/ingress-nginx", namespace: "ingress", pod: "wick-1" },
  perHost: true,
  undefinedHosts: false,
  perEndpoint: false,
  statusClasses: true,
  leftOut: ["requests", "bytes_sent", "unknown"],
  timeBuckets: [0.005, 1],
  lengthBuckets: [10],
  sizeBuckets: [1_000_000],
}

test("without --enable-metrics there is no directive", () => {
  expect(metricFields({})).toBeNull()
})

test("the directive has every flag", () => {
  expect(metricFields({ metrics })).toEqual([
    "series=65536",
    "planes=4",
    "requests=off",
    "host=on",
    "undefined=off",
    "classes=on",
    "controller_class=k8s.io/ingress-nginx",
    "controller_namespace=ingress",
    "controller_pod=wick-1",
    "connect_duration_seconds=0.005,1",
    "header_duration_seconds=0.005,1",
    "response_duration_seconds=0.005,1",
    "request_duration_seconds=0.005,1",
    "request_size=10",
    "response_size=10",
  ])
})

test("native histograms are counted where they are asked for", () => {
  const native = { factor: 1.1, maxBuckets: 100 }
  const fields = metricFields({ metrics: { ...metrics, native } })
  expect(fields).toEqual(expect.arrayContaining(["factor=1.1", "max_buckets=100"]))
})

test("endpoints have a directive of their own where they are counted", () => {
  expect(endpointMetricFields({})).toBeNull()
  expect(endpointMetricFields({ metrics })).toBeNull()
  expect(endpointMetricFields({ metrics: { ...metrics, perEndpoint: true } })).toEqual([
    "zone=backends",
    "series=16384",
    "planes=4",
    "buckets=0.01,0.05,0.1,0.5,1,5",
    "controller_class=k8s.io/ingress-nginx",
    "controller_namespace=ingress",
    "controller_pod=wick-1",
  ])
})

test("without the label host every request is counted", () => {
  expect(metricFields({ metrics: { ...metrics, perHost: false } })).toContain("undefined=on")
})

test.each([
  [0, "0"],
  [0.005, "0.005"],
  [0.00001, "1e-05"],
  [2.5, "2.5"],
  [100_000, "100000"],
  [1_000_000, "1e+06"],
  [1_500_000, "1.5e+06"],
  [1e21, "1e+21"],
])("%d is %s, as Go prints it", (value, text) => {
  expect(goNumber(value)).toBe(text)
})
