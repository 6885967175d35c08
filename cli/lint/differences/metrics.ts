import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "Metrics". */
export const metricsDifferences = {
  "requests-wildcard-hosts-rules-without-host": {
    what: "Requests to wildcard hosts and to rules without a host",
    before: "Never counted with `--metrics-per-host`",
    now: "Counted, with the host of the rule (`*.shop.test`, `_`)",
    why: "Their dashboards were empty",
    concerns: operation,
  },
  "retried-requests": {
    what: "Retried requests",
    before: "Not in the durations of the backend",
    now: "Each attempt is observed in `connect_`, `header_` and `response_duration_seconds`",
    why: "The slow ones are those that matter",
    concerns: operation,
  },
  "requests-fail-before-location-found-sign": {
    what: "Requests that fail before a location is found; sign-in redirects, `www.` redirects, app roots, refusals by the ConfigMap's filters",
    before: "Not counted",
    now: "Counted",
    concerns: operation,
  },
  "methods-nginx-does-not-know": {
    what: "Methods that nginx does not know",
    before: "Any word of a client becomes a label",
    now: "`_OTHER`",
    why: "Clients could fill Prometheus",
    concerns: operation,
  },
  "metrics-per-undefined-host": {
    what: "`--metrics-per-undefined-host`",
    before: "Any host of a client becomes a label",
    now: "Host `_`",
    why: "The same",
    concerns: operation,
  },
  "more-than-10-000-requests-second": {
    what: "More than 10,000 requests a second and worker",
    before: "The rest is dropped",
    now: "All are counted; `--monitor-max-batch-size` has no effect",
    concerns: operation,
  },
  "worker-killed-ends-after-reload": {
    what: "A worker is killed, or ends after a reload",
    before: "Samples of the last second are lost",
    now: "None are",
    concerns: operation,
  },
  "number-series": {
    what: "Number of series",
    before: "No limit",
    now: "65,535, and 96 for a path; the rest is folded and said so ([metrics.md](metrics.md#what-bounds-them))",
    concerns: operation,
  },
  "buckets-not-ascending-order": {
    what: "Buckets that are not in ascending order",
    before: "The start fails with a stack trace",
    now: "The flag is refused, with a sentence",
    concerns: operation,
  },
  "nginx-process": {
    what: "`nginx_process_…`",
    before: "All processes in the container",
    now: "Those of nginx; CPU time is that of user and system",
    concerns: operation,
  },
  "native-histograms": {
    what: "Native histograms (`--bucket-factor`)",
    before:
      "Factors below 1.0443 have finer buckets; a histogram that once had more than `--max-buckets` stays coarse",
    now: "1.0443 is the finest; a histogram is coarse where it is shown, and counted finely. A factor from 0 to 1 is refused, but for 0",
    why: "Counted without a lock, in shared memory",
    concerns: operation,
  },
  "orphan-ingress": {
    what: "`orphan_ingress`",
    before:
      "Of several Ingresses with one Service the first is marked; one that is deleted stays; of the two types the one that is not looked at keeps its last value",
    now: "Each Ingress is marked, both types say what is now, and a series goes with its Ingress",
    why: "Alerts did not end",
    concerns: operation,
  },
  "ssl-certificate-info-replica": {
    what: "`ssl_certificate_info`",
    before: "Gone from a replica that ceases to lead",
    now: "Every replica has it",
    concerns: operation,
  },
  "ssl-expire-time-of-aliases": {
    what: "Aliases and redirected names in `ssl_expire_time_seconds`, `ssl_certificate_info`",
    before: "Not there",
    now: "There, where they show a certificate of their own",
    why: "They expire, too",
    concerns: operation,
  },
} satisfies Differences
