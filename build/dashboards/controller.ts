import type { Dashboard } from "./dashboard.ts"
import { controllers, metric, ours, quantile, quantiles, rate, sumBy, total } from "./queries.ts"

const byPod = "{{controller_pod}}"
/** Of Node's own metrics only the target is known. */
const node = (name: string) => `${name} and on (instance) ${metric}_build_info{${ours}}`

export const controller: Dashboard = {
  name: "controller",
  title: "wick / Controller",
  description: "From changes in the cluster to what nginx serves, and how the controller itself is doing",
  variables: controllers,
  rows: [
    {
      title: "Changes",
      panels: [
        {
          title: "From a change to traffic",
          says: "From when the controller hears of a change until every worker serves it. Changes of the configuration wait for a reload",
          unit: "s",
          none: "Nothing has changed",
          queries: {
            "median by {{by}}": quantile(0.5, "wick_change_duration_seconds", ours, "by"),
            "99 % by {{by}}": quantile(0.99, "wick_change_duration_seconds", ours, "by"),
          },
        },
        {
          title: "Passes",
          says: "From the objects to nginx; a pass carries out all changes that have come meanwhile",
          unit: "s",
          none: "Nothing has changed",
          queries: quantiles("wick_pass_duration_seconds", ours),
        },
        {
          title: "Posts",
          says: "Changes that need no reload. Refused: nginx did not take a part of them",
          unit: "ops",
          queries: { "{{outcome}}": sumBy("outcome", "wick_posts_total", ours) },
        },
        {
          title: "Time of posts",
          says: "Until nginx has answered that a change is in force",
          unit: "s",
          none: "Nothing has changed",
          queries: quantiles("wick_post_duration_seconds", ours),
        },
        {
          title: "Failed passes",
          says: "They are tried again; nginx serves what it has",
          queries: { [byPod]: `increase(wick_pass_errors_total{${ours}}[5m])` },
        },
      ],
    },
    {
      title: "Reloads",
      panels: [
        {
          title: "Reloads",
          says: "Of the last hour. A reload costs memory and time",
          queries: {
            worked: `sum(increase(${metric}_success{${ours}}[1h]))`,
            failed: `sum(increase(${metric}_errors{${ours}}[1h]))`,
          },
        },
        {
          title: "Why nginx was reloaded",
          says: "Of the last hour. Parts of the ConfigMap's settings, or an Ingress asked for what no other one had; a reload may have several reasons",
          kind: "stacked",
          queries: { "{{reason}}": `sum by (reason) (increase(wick_reloads_total{${ours}}[1h]))` },
        },
        {
          title: "Configuration in force",
          says: "Replicas with the same one have the same line; 0: the last reload failed",
          queries: { [byPod]: `${metric}_config_hash{${ours}}` },
        },
        {
          title: "Starts of nginx after it had died",
          says: "Look for what the kernel says, and for Problems of the data plane",
          queries: { [byPod]: `increase(wick_nginx_restarts_total{${ours}}[1h])` },
        },
      ],
    },
    {
      title: "API server",
      panels: [
        {
          title: "Last sign of life",
          says: "Of each watch; about a minute is usual where nothing happens",
          unit: "s",
          none: "Nothing is watched: objects come from files",
          queries: { "{{resource}}": `max by (resource) (wick_watch_contact_age_seconds{${ours}})` },
        },
        {
          title: "Watches in trouble",
          says: "They fail again and again: what was known last is served",
          none: "Nothing is watched: objects come from files",
          queries: { "{{resource}}": `max by (resource) (wick_watch_troubled{${ours}})` },
        },
        {
          title: "Failures of lists and watches",
          says: "Some are usual while an API server is replaced",
          unit: "ops",
          none: "There were none",
          queries: { "{{resource}} {{cause}}": sumBy("resource, cause", "wick_watch_failures_total", ours) },
        },
        {
          title: "Leader",
          says: "It writes status and Events, and tells when certificates end",
          none: "No election: there is one replica, or objects come from files",
          queries: { [byPod]: `${metric}_leader_election_status{${ours}}` },
        },
      ],
    },
    {
      title: "Shared memory",
      panels: [
        {
          title: "Zones in use",
          says: "They grow by themselves up to max-zone-size; what has no room is refused, with a Problem",
          unit: "percentunit",
          levels: [0.8, 0.95],
          queries: {
            [`${byPod} {{zone}}`]: `wick_zone_used_bytes{${ours}} / (wick_zone_size_bytes{${ours}} > 0)`,
          },
        },
        {
          title: "Records",
          says: "Backends, hosts, certificates and what goes with them",
          queries: { "{{zone}}": `max by (zone) (wick_zone_records{${ours}})` },
        },
        {
          title: "Series of requests",
          says: "Of those that there is room for; what finds none is folded into one",
          unit: "percentunit",
          levels: [0.8, 0.95],
          queries: { "{{instance}}": node("wick_request_series / wick_request_series_limit") },
        },
      ],
    },
    {
      title: "The process",
      panels: [
        {
          title: "CPU",
          says: "Cores that the controller uses, without nginx",
          queries: { "{{instance}}": node("rate(process_cpu_seconds_total[$__rate_interval])") },
        },
        {
          title: "Memory",
          says: "Resident memory of the controller, without nginx",
          unit: "bytes",
          queries: { "{{instance}}": node("process_resident_memory_bytes") },
        },
        {
          title: "Event loop",
          says: "How late it was, of 100 times the latest: probes wait so long",
          unit: "s",
          queries: { "{{instance}}": node("nodejs_eventloop_lag_p99_seconds") },
        },
        {
          title: "Checks of the admission webhook",
          says: "By what came of them",
          unit: "ops",
          none: "Nothing was checked",
          queries: {
            accepted: `sum(${rate(`${metric}_check_success`, ours)})`,
            refused: `sum(${rate(`${metric}_check_errors`, ours)})`,
          },
        },
        {
          title: "Spans of traces",
          says: "dropped: nginx had no room, because the collector was too slow. failed: the collector did not take them",
          unit: "ops",
          queries: {
            sent: total("wick_spans_exported_total", ours),
            dropped: total("wick_spans_dropped_total", ours),
            failed: total("wick_spans_failed_total", ours),
          },
        },
        {
          title: "Events given up",
          says: "Too many about one object or at once, or the API server failed",
          unit: "ops",
          none: "None",
          queries: { "{{reason}}": sumBy("reason", "wick_events_dropped_total", ours) },
        },
      ],
    },
  ],
}
