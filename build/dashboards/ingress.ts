import type { Dashboard } from "./dashboard.ts"
import { ingresses, metric, quantiles, share, sumBy, theirs, total } from "./queries.ts"

const requests = `${metric}_requests`
const failed = `${theirs},status=~"5.*"`
const request = `${metric}_request_duration_seconds`
const backend = `${metric}_response_duration_seconds`
const sizes = (side: "request" | "response") =>
  `${total(`${metric}_${side}_size_sum`, theirs)} / ${total(`${metric}_${side}_size_count`, theirs)}`

export const ingress: Dashboard = {
  name: "ingress",
  title: "wick / Ingress",
  description: "One Ingress, or those of a namespace",
  variables: ingresses,
  rows: [
    {
      title: "Requests",
      panels: [
        {
          title: "By status",
          says: "499: the client left before there was an answer",
          kind: "stacked",
          unit: "reqps",
          queries: { "{{status}}": sumBy("status", requests, theirs) },
        },
        {
          title: "By path",
          says: "Paths are those of the Ingress's rules",
          unit: "reqps",
          queries: { "{{host}}{{path}}": sumBy("host, path", requests, theirs) },
        },
        {
          title: "Failed",
          says: "Share of requests that were answered with 5xx, by path",
          unit: "percentunit",
          queries: {
            "{{host}}{{path}}": share(
              sumBy("host, path", requests, failed),
              sumBy("host, path", requests, theirs),
              "host, path",
            ),
          },
        },
        {
          title: "By method",
          says: "_OTHER: methods that nginx does not know",
          unit: "reqps",
          queries: { "{{method}}": sumBy("method", requests, theirs) },
        },
      ],
    },
    {
      title: "Time",
      panels: [
        {
          title: "Of requests",
          says: "From the first byte to the end, the client's network included",
          unit: "s",
          queries: quantiles(request, theirs),
        },
        {
          title: "Of backends",
          says: "Until the response was read, of each attempt: where requests are slow and this is not, clients are",
          unit: "s",
          queries: quantiles(backend, theirs),
        },
        {
          title: "To connect",
          says: "0 for kept connections",
          unit: "s",
          queries: quantiles(`${metric}_connect_duration_seconds`, theirs),
        },
        {
          title: "Requests by time",
          says: "How many took how long",
          kind: "heatmap",
          unit: "s",
          queries: { "{{le}}": `sum by (le) (increase(${request}_bucket{${theirs}}[$__rate_interval]))` },
        },
      ],
    },
    {
      title: "Backends",
      panels: [
        {
          title: "Attempts for each request",
          says: "Above 1: attempts failed and were made again elsewhere. Below: nginx answered itself",
          queries: {
            "{{service}}": `${sumBy("service", `${backend}_count`, theirs)} / ${sumBy("service", requests, theirs)}`,
          },
        },
        {
          title: "Retries by cause",
          says: "Of the attempt before. connect: refused or unreachable. error: the connection broke. status: an answer that proxy-next-upstream does not take",
          kind: "stacked",
          unit: "ops",
          none: "There were none",
          queries: { "{{cause}}": sumBy("cause", "wick_retries_total", theirs) },
        },
        {
          title: "Answers of canaries",
          says: "Share of requests that each canary took",
          unit: "percentunit",
          none: "There is no canary, or it took nothing",
          queries: {
            "{{canary}}": `${sumBy("canary", requests, `${theirs},canary!=""`)} / on () group_left () ${total(requests, theirs)}`,
          },
        },
        {
          title: "Average sizes",
          says: "With headers, as they were on the connection",
          unit: "bytes",
          queries: { requests: sizes("request"), responses: sizes("response") },
        },
        {
          title: "Services that cannot be reached",
          says: "no-service: it does not exist or cannot be used; no-endpoint: nothing of it is ready",
          kind: "table",
          none: "All can",
          queries: {
            now: `max by ($namespace_label, ingress, type) (${metric}_orphan_ingress{${theirs}}) == 1`,
          },
        },
      ],
    },
    {
      title: "ModSecurity",
      panels: [
        {
          title: "Requests that rules are to look at",
          says: "stopped_phase_1 to 4: by a rule for the request's headers, its body, the response's headers, its body. closed: no rules could look, 503. unseen: the same, and let in",
          kind: "stacked",
          unit: "reqps",
          none: "No rules look at any",
          queries: { "{{outcome}}": sumBy("outcome", "wick_modsecurity_requests_total", theirs) },
        },
      ],
    },
  ],
}
