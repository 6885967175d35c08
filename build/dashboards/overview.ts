import type { Dashboard } from "./dashboard.ts"
import {
  controllers,
  metric,
  namespacedLegend,
  ours,
  quantile,
  quantiles,
  rate,
  share,
  sumBy,
  total,
} from "./queries.ts"

const requests = `${metric}_requests`
const failed = `${ours},status=~"5.*"`
const duration = `${metric}_request_duration_seconds`
const byIngress = "$namespace_label, ingress"
const nginx = `${metric}_nginx_process`

export const overview: Dashboard = {
  name: "overview",
  title: "wick / Overview",
  description: "All traffic, and what needs somebody's attention",
  variables: controllers,
  rows: [
    {
      title: "Now",
      panels: [
        {
          title: "Requests",
          says: "Requests a second, whatever came of them",
          kind: "number",
          unit: "reqps",
          queries: { requests: total(requests, ours) },
        },
        {
          title: "Failed",
          says: "Share of requests that were answered with 5xx",
          kind: "number",
          unit: "percentunit",
          levels: [0.01, 0.05],
          queries: { failed: share(total(requests, failed), total(requests, ours)) },
        },
        {
          title: "99 % end within",
          says: "99 of 100 requests end within this time",
          kind: "number",
          unit: "s",
          queries: { latency: quantile(0.99, duration, ours) },
        },
        {
          title: "Problems",
          says: "What is wrong with objects now. `wick problem CODE` says what to do",
          kind: "number",
          levels: [1, 10],
          queries: { problems: `sum(max by (code) (wick_problems{${ours}})) or vector(0)` },
        },
        {
          title: "Failed reloads",
          says: "Replicas whose last reload failed: the configuration before it is in force",
          kind: "number",
          levels: [1, 1],
          queries: { replicas: `sum(1 - ${metric}_config_last_reload_successful{${ours}})` },
        },
        {
          title: "First certificate to end",
          says: "Time until it does. Negative: it has ended",
          kind: "number",
          unit: "s",
          levels: [14 * 86_400, 3 * 86_400],
          queries: { left: `min(${metric}_ssl_expire_time_seconds) - time()` },
        },
      ],
    },
    {
      title: "Traffic",
      panels: [
        {
          title: "Requests by status",
          says: "499: the client left before there was an answer",
          kind: "stacked",
          unit: "reqps",
          queries: { "{{status}}": sumBy("status", requests, ours) },
        },
        {
          title: "Busiest Ingresses",
          says: "The ten with the most requests",
          unit: "reqps",
          queries: { [namespacedLegend]: `topk(10, ${sumBy(byIngress, requests, `${ours},ingress!=""`)})` },
        },
        {
          title: "Latency",
          says: "From a request's first byte to its end, the client's network included",
          unit: "s",
          queries: quantiles(duration, ours),
        },
        {
          title: "Bytes",
          says: "To clients above, from clients below",
          unit: "Bps",
          queries: {
            out: total(`${metric}_response_size_sum`, ours),
            in: `- ${total(`${metric}_request_size_sum`, ours)}`,
          },
        },
      ],
    },
    {
      title: "What goes wrong",
      panels: [
        {
          title: "Ingresses with the largest share of 5xx",
          says: "Ten of those that have any",
          unit: "percentunit",
          none: "No request failed",
          queries: {
            [namespacedLegend]: `topk(10, ${sumBy(byIngress, requests, `${failed},ingress!=""`)} / ${sumBy(byIngress, requests, ours)})`,
          },
        },
        {
          title: "Requests that no Ingress is about",
          says: "Requests that could not be read; with --metrics-per-undefined-host those for unknown hosts, too",
          unit: "reqps",
          none: "There are none",
          queries: { "{{status}}": sumBy("status", requests, `${ours},ingress=""`) },
        },
        {
          title: "Problems by code",
          says: "docs/reference/problems.md says what each means",
          kind: "stacked",
          none: "There are none",
          queries: { "{{code}}": `max by (code) (wick_problems{${ours}})` },
        },
        {
          title: "Ingresses without backends",
          says: "A rule names a Service that does not exist (no-service) or has no endpoints (no-endpoint)",
          kind: "table",
          none: "There are none",
          queries: { now: `max by (${byIngress}, type) (${metric}_orphan_ingress{${ours}}) == 1` },
        },
      ],
    },
    {
      title: "nginx",
      panels: [
        {
          title: "Connections",
          says: "Of clients; waiting ones are kept for a next request",
          queries: { "{{state}}": `sum by (state) (${nginx}_connections{${ours}})` },
        },
        {
          title: "CPU",
          says: "Cores that nginx of each replica uses",
          queries: { "{{controller_pod}}": rate(`${nginx}_cpu_seconds_total`, ours) },
        },
        {
          title: "Memory",
          says: "Resident memory of nginx; shared zones count once for each worker that has used them",
          unit: "bytes",
          queries: { "{{controller_pod}}": `${nginx}_resident_memory_bytes{${ours}}` },
        },
        {
          title: "Processes",
          says: "More than usual: workers of an earlier configuration still have connections",
          queries: { "{{controller_pod}}": `${nginx}_num_procs{${ours}}` },
        },
      ],
    },
  ],
}
