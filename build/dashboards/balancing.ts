import type { Dashboard } from "./dashboard.ts"
import { ingresses, metric, ours, quantile, sumBy, theirs, total } from "./queries.ts"

const requests = `${metric}_requests`
const attempts = `${metric}_response_duration_seconds_count`
const policy = (name: string, by = "policy") => sumBy(by, `wick_policy_${name}_total`, ours)
const perEndpoint = "Endpoints are counted with --metrics-per-endpoint only"
/** The ten endpoints with the most of it. */
const endpoints = (expression: string) => ({ "{{backend}} {{endpoint}}": `topk(10, ${expression})` })
const noPort = "No session has come to a TCP or UDP port"
const port = (name: string, by = "protocol, port") => sumBy(by, `wick_stream_${name}_total`, ours)
const noPolicy = "No balancing policy of your own is in use"

export const balancing: Dashboard = {
  name: "balancing",
  title: "wick / Balancing",
  description: "How requests are spread over endpoints, retries, and balancing policies of your own",
  variables: ingresses,
  rows: [
    {
      title: "Services",
      panels: [
        {
          title: "Requests",
          says: "By the Service of the rule; those that a canary took included",
          unit: "reqps",
          queries: { "{{service}}": sumBy("service", requests, theirs) },
        },
        {
          title: "Slow ones",
          says: "95 of 100 attempts end within this time",
          unit: "s",
          queries: {
            "{{service}}": quantile(0.95, `${metric}_response_duration_seconds`, theirs, "service"),
          },
        },
        {
          title: "No answer, or a bad one",
          says: "502: no attempt got one. 503: no endpoint. 504: none in time",
          unit: "reqps",
          none: "There were none",
          queries: {
            "{{service}} {{status}}": sumBy("service, status", requests, `${theirs},status=~"50[234]"`),
          },
        },
        {
          title: "Attempts for each request",
          says: "Above 1: attempts failed and were made again elsewhere",
          queries: { attempts: `${total(attempts, theirs)} / ${total(requests, theirs)}` },
        },
      ],
    },
    {
      title: "Retries",
      panels: [
        {
          title: "By cause",
          says: "Of the attempt before. connect: refused or unreachable. error: the connection broke. status: an answer that proxy-next-upstream does not take",
          kind: "stacked",
          unit: "ops",
          none: "There were none",
          queries: { "{{cause}}": sumBy("cause", "wick_retries_total", theirs) },
        },
        {
          title: "By Service",
          says: "The ten with the most",
          unit: "ops",
          none: "There were none",
          queries: { "{{service}}": `topk(10, ${sumBy("service", "wick_retries_total", theirs)})` },
        },
      ],
    },
    {
      title: "Endpoints",
      panels: [
        {
          title: "Attempts",
          says: "Of the ten with the most, retries included",
          unit: "ops",
          none: perEndpoint,
          queries: endpoints(sumBy("backend, endpoint", "wick_endpoint_attempts_total", ours)),
        },
        {
          title: "Failed attempts",
          says: "Of the ten with the most, whether another one was made or not. status: an answer from 500 on, or one that proxy-next-upstream does not take",
          unit: "ops",
          none: perEndpoint,
          queries: {
            "{{backend}} {{endpoint}} {{cause}}": `topk(10, ${sumBy("backend, endpoint, cause", "wick_endpoint_failures_total", ours)})`,
          },
        },
        {
          title: "Slowest",
          says: "Average time until responses began, of the ten with the longest",
          unit: "s",
          none: perEndpoint,
          queries: endpoints(
            `${sumBy("backend, endpoint", "wick_endpoint_response_seconds_sum", ours)} / (${sumBy("backend, endpoint", "wick_endpoint_response_seconds_count", ours)} > 0)`,
          ),
        },
        {
          title: "Left out",
          says: "Endpoints that get no requests for a while because they failed; of backends with outlier ejection",
          none: "No backend has outlier ejection, or endpoints are not counted (--metrics-per-endpoint)",
          queries: {
            "{{backend}}": `max by (backend) (sum by (backend, controller_pod) (wick_endpoint_ejected{${ours}}))`,
          },
        },
      ],
    },
    {
      title: "TCP and UDP ports",
      panels: [
        {
          title: "New sessions",
          says: "By port, those included that are refused or reach no endpoint",
          unit: "ops",
          none: noPort,
          queries: { "{{protocol}} {{port}}": port("sessions") },
        },
        {
          title: "Open now",
          says: "Sessions that have begun and not ended",
          none: noPort,
          queries: {
            "{{protocol}} {{port}}": `sum by (protocol, port) (wick_stream_sessions_total{${ours}} - wick_stream_sessions_ended_total{${ours}})`,
          },
        },
        {
          title: "Refused, or without an endpoint",
          says: "By cause; failed: no endpoint was reached. `wick problem stream-without-endpoint`, and `wick streams`, say more",
          unit: "ops",
          none: noPort,
          queries: {
            "{{protocol}} {{port}} {{cause}}": `${port("sessions_refused", "protocol, port, cause")} > 0`,
            "{{protocol}} {{port}} failed": `${port("sessions_failed")} > 0`,
          },
        },
        {
          title: "Bytes",
          says: "From clients and to them, counted when a session ends",
          unit: "Bps",
          none: noPort,
          queries: {
            "{{protocol}} {{port}} from clients": port("received_bytes"),
            "{{protocol}} {{port}} to clients": port("sent_bytes"),
          },
        },
      ],
    },
    {
      title: "What is learned about endpoints",
      panels: [
        {
          title: "Places in use",
          says: "Endpoints that find none are balanced without what is learned about them",
          unit: "percentunit",
          levels: [0.8, 0.95],
          queries: {
            "{{controller_pod}} {{zone}}": `wick_zone_slots_used{${ours}} / (wick_zone_slots{${ours}} > 0)`,
          },
        },
        {
          title: "Workers that take part",
          says: "Old ones that still have connections included. Beyond the limit they balance without what others learn",
          queries: {
            "{{controller_pod}} {{zone}}": `wick_zone_processes_alive{${ours}}`,
            "limit of {{zone}}": `max by (zone) (wick_zone_processes{${ours}})`,
          },
        },
      ],
    },
    {
      title: "The filter that chooses endpoints",
      panels: [
        {
          title: "Faults",
          says: "It trapped or took too long. Fallbacks: attempts for which nginx chose round robin meanwhile",
          unit: "ops",
          queries: {
            faults: total("wick_filter_faults_total", ours),
            fallbacks: total("wick_filter_fallbacks_total", ours),
          },
        },
        {
          title: "Repairs of shared memory",
          says: "After a worker had been killed while it wrote there",
          queries: { "{{controller_pod}}": `increase(wick_zone_repairs_total{${ours}}[1h])` },
        },
      ],
    },
    {
      title: "Policies of your own",
      panels: [
        {
          title: "Picks",
          says: "Times that each was asked for an endpoint",
          unit: "ops",
          none: noPolicy,
          queries: { "{{policy}}": policy("picks") },
        },
        {
          title: "Left to round robin",
          says: "It declined, or failed: trapped, took too long, or named an endpoint that is not there",
          unit: "ops",
          none: noPolicy,
          queries: { "{{policy}} declined": policy("declines"), "{{policy}} failed": policy("faults") },
        },
        {
          title: "Time of a pick",
          says: "Average of those that were measured",
          unit: "s",
          none: noPolicy,
          queries: { "{{policy}}": `${policy("sampled_seconds")} / ${policy("sampled_picks")}` },
        },
        {
          title: "Taken back",
          says: "Failed too often, so that its last good version took its place, or round robin",
          none: "None was",
          queries: { "{{policy}}": `sum by (policy) (increase(wick_policy_rollbacks_total{${ours}}[1h]))` },
        },
      ],
    },
  ],
}
