// What is read of endpoints, from answers as nginx gives them.
import { expect, test } from "vitest"
import { readEndpointCounts } from "../../../../controller/output/control/endpoint-counts.ts"
import { backendStates, readBackendState } from "../../../../controller/output/control/endpoint-states.ts"
import { readRequestCounts } from "../../../../controller/output/control/request-counts.ts"
import { readRequestTimes } from "../../../../controller/output/control/request-times.ts"

/** Pages by path; 404 for all others. */
function clientOf(answers: Readonly<Record<string, { readonly body: string; readonly next?: string }>>) {
  const asked: string[] = []
  const answer = async (path: string) => {
    asked.push(path)
    const { body, next } = answers[path] ?? {}
    return { status: body === undefined ? 404 : 200, body: body ?? "", ...(next !== undefined && { next }) }
  }
  return {
    asked,
    getAnew: answer,
    page: async (path: string) => {
      const { body, ...more } = await answer(path)
      return { ...more, chunks: [Buffer.from(body)] }
    },
  }
}

const labels = (endpoint: string) => `backend="shop-80",endpoint="${endpoint}"`

test("an endpoint's numbers may come in several pages", async () => {
  const client = clientOf({
    "/metrics/endpoints?backend=shop-80": {
      body: `wick_endpoint_attempts_total{${labels("10.0.0.1:80")}} 12\nwick_endpoint_attempts_total{${labels("10.0.0.2:80")}} 1\n`,
      next: "77",
    },
    "/metrics/endpoints?backend=shop-80&77": {
      body: [
        `wick_endpoint_response_seconds_bucket{${labels("10.0.0.1:80")},le="+Inf"} 9`,
        `wick_endpoint_response_seconds_sum{${labels("10.0.0.1:80")}} 1.5`,
        `wick_endpoint_response_seconds_count{${labels("10.0.0.1:80")}} 9`,
        `wick_endpoint_failures_total{${labels("10.0.0.1:80")},cause="timeout"} 3`,
        "wick_endpoint_series 2",
        "",
      ].join("\n"),
    },
  })
  expect(await readEndpointCounts(client, "shop-80")).toEqual([
    {
      backend: "shop-80",
      endpoint: "10.0.0.1:80",
      attempts: 12,
      failures: { timeout: 3 },
      responses: 9,
      responseSeconds: 1.5,
    },
    {
      backend: "shop-80",
      endpoint: "10.0.0.2:80",
      attempts: 1,
      failures: {},
      responses: 0,
      responseSeconds: 0,
    },
  ])
})

test("times of requests are added up by Ingress and host, and nothing behind them is read", async () => {
  const name = "nginx_ingress_controller_request_duration_seconds"
  const of = (path: string, more = "") => `namespace="shop",ingress="a",host="a.test",path="${path}"${more}`
  const client = clientOf({
    "/metrics?from=request_duration_seconds": {
      body: [
        `# TYPE ${name} histogram`,
        `${name}_bucket{${of("/", ',le="0.1"')}} 1`,
        `${name}_bucket{${of("/", ',le="+Inf"')}} 2`,
        `${name}_sum{${of("/")}} 1.5`,
        `${name}_count{${of("/")}} 2`,
        "",
      ].join("\n"),
      next: "7",
    },
    "/metrics?from=request_duration_seconds&7": {
      body: [
        `# TYPE ${name} histogram`,
        `${name}_bucket{${of("/x", ',le="0.1"')}} 3`,
        `${name}_bucket{${of("/x", ',le="+Inf"')}} 3`,
        `${name}_sum{${of("/x")}} 0.25`,
        `${name}_count{${of("/x")}} 3`,
        "# TYPE nginx_ingress_controller_request_size histogram",
        "",
      ].join("\n"),
      next: "8",
    },
    "/metrics?from=request_duration_seconds&8": { body: `${name}_count{${of("/never")}} 9\n` },
  })
  expect(await readRequestTimes(client)).toEqual([
    {
      ingress: "shop/a",
      host: "a.test",
      count: 5,
      seconds: 1.75,
      buckets: [
        { seconds: 0.1, count: 4 },
        { seconds: Number.POSITIVE_INFINITY, count: 5 },
      ],
    },
  ])
  expect(await readRequestTimes(clientOf({}))).toEqual([])
})

test("an nginx that does not count, or has an older filter, says so", async () => {
  const client = clientOf({})
  expect(await readEndpointCounts(client)).toBeUndefined()
  expect(await readRequestCounts(client)).toBeUndefined()
  expect(await readBackendState(client, "shop-80")).toBeUndefined()
  for await (const some of backendStates(client)) expect(some).toEqual([])
})

test("states come in parts, in units of people", async () => {
  const shown = (name: string, endpoints: readonly object[]) =>
    JSON.stringify([{ name, "load-balance": "ewma", endpoints }])
  const endpoint = {
    address: "::1",
    port: "80",
    weight: 2,
    score_ns: 1_500_000,
    failures: 1,
    ejected_ms: 7,
    warming_ms: 0,
  }
  const client = clientOf({
    "/configuration/endpoints?limit=256": { body: shown("a", [endpoint]), next: "9" },
    "/configuration/endpoints?limit=256&cursor=9": { body: shown("b", [{ address: "10.0.0.1", port: 81 }]) },
  })
  const all: unknown[] = []
  for await (const some of backendStates(client)) all.push(...some)
  expect(all).toEqual([
    {
      name: "a",
      algorithm: "ewma",
      endpoints: [
        { endpoint: "[::1]:80", weight: 2, scoreSeconds: 0.0015, failures: 1, ejectedMs: 7, warmingMs: 0 },
      ],
    },
    { name: "b", algorithm: "ewma", endpoints: [{ endpoint: "10.0.0.1:81", weight: 1 }] },
  ])
})

test("of requests only the counter is read, and no page behind it is waited for", async () => {
  const request =
    'controller_pod="p",status="200",method="GET",path="/",namespace="shop",ingress="cart",host="a.test"'
  const client = clientOf({
    "/metrics": {
      body: `# TYPE nginx_ingress_controller_requests counter\nnginx_ingress_controller_requests{${request}} 5\n`,
      next: "1",
    },
    "/metrics?1": {
      body: `nginx_ingress_controller_requests{status="4xx",namespace="",ingress=""} 2\n# TYPE nginx_ingress_controller_request_size histogram\nnginx_ingress_controller_request_size_sum{${request}} 9\n`,
      next: "2",
    },
    "/metrics?2": { body: `nginx_ingress_controller_requests{${request}} 1000\n`, next: "3" },
  })
  expect(await readRequestCounts(client)).toEqual([
    { ingress: "shop/cart", host: "a.test", status: "200", count: 5 },
    { ingress: "", status: "4xx", count: 2 },
  ])
  expect(client.asked).not.toContain("/metrics?3")
})
