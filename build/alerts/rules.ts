import { problemCatalogue } from "../../controller/model/problems/catalogue.ts"

// When somebody should be told of something. Printed from here: rules for Prometheus, and the page about them.

export interface Alert {
  readonly name: string
  /** `critical`: clients notice, or will in days. `warning`: look at it today. `info`: know it when you look for something */
  readonly severity: "critical" | "warning" | "info"
  readonly expression: string
  /** how long it has to be so */
  readonly for: string
  /** with values of labels, as Prometheus prints them */
  readonly summary: string
  /** what it means, and what to do */
  readonly says: string
}

const n = "nginx_ingress_controller"
const controller = "controller_class, controller_namespace, controller_pod"
const pod = "{{ $labels.controller_namespace }}/{{ $labels.controller_pod }}"
const day = 86_400

/**
 * With the namespace of an Ingress in a label of its own: Prometheus makes `exported_namespace` of `namespace` where targets have that label
 * themselves, as with the Prometheus operator.
 */
function inNamespaces(series: string): string {
  return `label_replace(label_join(${series}, "namespaces", ";", "exported_namespace", "namespace"), "ingress_namespace", "$1", "namespaces", ";?([^;]+).*")`
}

const ingress = "{{ $labels.ingress_namespace }}/{{ $labels.ingress }}"
const requests = (selector: string, by: string) =>
  `sum by (${by}) (${inNamespaces(`rate(${n}_requests{${selector}}[5m])`)})`
const byIngress = "controller_class, ingress_namespace, ingress"

/** Problems of which nothing is lost. */
const mere = Object.entries(problemCatalogue).flatMap(([code, { severity }]) =>
  severity === "info" ? code : [],
)

const secrets = inNamespaces(`${n}_ssl_expire_time_seconds{secret_name!=""}`)
const timeLeft = `min by (class, host, ingress_namespace, secret_name) (${secrets}) - time()`
const certificate = "{{ $labels.ingress_namespace }}/{{ $labels.secret_name }} of host {{ $labels.host }}"

const ofBackend = "controller_class, controller_namespace, backend"
const attempts = (what: "attempts" | "failures") =>
  `sum by (${ofBackend}, endpoint) (rate(wick_endpoint_${what}_total[5m]))`
/** Endpoints that fail less than half of the time. */
const answering = `count by (${ofBackend}) ((${attempts("failures")} or ${attempts("attempts")} * 0) / ${attempts("attempts")} < 0.5)`

const sessions = (what: string) =>
  `sum by (controller_class, controller_namespace, protocol, port) (rate(wick_stream_${what}_total[5m]))`

export const alerts: readonly Alert[] = [
  {
    name: "WickAbsent",
    severity: "critical",
    expression: `absent(${n}_build_info)`,
    for: "10m",
    summary: "No controller is measured",
    says: "None runs, or Prometheus does not reach one: look at the Pods, then at Prometheus's targets",
  },
  {
    name: "WickServerErrors",
    severity: "critical",
    expression: `${requests('status=~"5.*",ingress!=""', byIngress)} / (${requests('ingress!=""', byIngress)} > 0.1) > 0.05`,
    for: "10m",
    summary: `Ingress ${ingress}: {{ $value | humanizePercentage }} of requests fail`,
    says: "502: backends give no answer. 503: there is none, or access is closed by a Problem. 504: none in time. Others come from the backends themselves. See the dashboard of the Ingress, and `wick explain`",
  },
  {
    name: "WickNoBackend",
    severity: "warning",
    expression: `max by (${byIngress}, type) (${inNamespaces(`${n}_orphan_ingress`)}) == 1`,
    for: "15m",
    summary: `Ingress ${ingress} names a Service that {{ if eq $labels.type "no-service" }}cannot be used{{ else }}has no endpoints{{ end }}`,
    says: "Requests to it get 503, or go to the default backend. `kubectl describe` of the Ingress says which Service it is",
  },
  {
    name: "WickPortFails",
    severity: "critical",
    expression: `${sessions("sessions_failed")} / (${sessions("sessions_ended")} > 0.1) > 0.05`,
    for: "10m",
    summary:
      "{{ $labels.protocol }} port {{ $labels.port }}: {{ $value | humanizePercentage }} of sessions reach no endpoint",
    says: "The Service has no endpoint that is ready, or none takes connections. `wick streams` says which Service it is, `wick backends NAME` what became of its endpoints",
  },
  {
    name: "WickReloadFailed",
    severity: "critical",
    expression: `${n}_config_last_reload_successful == 0`,
    for: "5m",
    summary: `Controller ${pod} cannot reload nginx`,
    says: "The configuration before it stays in force, and what needs the new one waits. The log says what nginx has against it; Problems name the object",
  },
  {
    name: "WickPassesFail",
    severity: "critical",
    expression: "increase(wick_pass_errors_total[10m]) > 3",
    for: "5m",
    summary: `Controller ${pod} cannot bring changes to nginx`,
    says: "nginx serves what it has, without what has changed since. The log says what fails",
  },
  {
    name: "WickChangesSlow",
    severity: "warning",
    expression: `histogram_quantile(0.9, sum by (${controller}, le) (rate(wick_change_duration_seconds_bucket{by="post"}[15m]))) > 5`,
    for: "15m",
    summary: `Changes take {{ $value | humanizeDuration }} to get to nginx in controller ${pod}`,
    says: "Endpoints that are gone get requests for so long. The controller has too little CPU, or passes wait for DNS: see the dashboard of the controller",
  },
  {
    name: "WickNginxDied",
    severity: "critical",
    expression: "increase(wick_nginx_restarts_total[15m]) > 0",
    for: "0m",
    summary: `nginx of controller ${pod} died and was started again`,
    says: "Connections were lost. Look for the out-of-memory killer, and for the last lines of nginx in the log",
  },
  {
    name: "WickProblems",
    severity: "warning",
    expression: `max by (controller_class, controller_namespace, code) (wick_problems{code!~"${mere.join("|")}"}) > 0`,
    for: "30m",
    summary: "{{ $value }} Problems {{ $labels.code }}",
    says: "Objects are wrong, and a part of them is left out. `wick problem CODE` says what it means and what to do; Events and the log name the objects",
  },
  {
    name: "WickCertificateExpires",
    severity: "warning",
    expression: `${timeLeft} < ${14 * day}`,
    for: "1h",
    summary: `The certificate ${certificate} ends in {{ $value | humanizeDuration }}`,
    says: "Whoever renews it should have done so: look at cert-manager's Certificate, or renew the Secret. The new one is shown from the next handshake on",
  },
  {
    name: "WickCertificateExpiresNow",
    severity: "critical",
    expression: `${timeLeft} < ${3 * day}`,
    for: "5m",
    summary: `The certificate ${certificate} ends in {{ $value | humanizeDuration }}`,
    says: "Clients refuse it from then on; a negative time says that they do already",
  },
  {
    name: "WickOcspFails",
    severity: "warning",
    expression: `max by (controller_class, controller_namespace, code) (wick_problems{code=~"ocsp-.*|certificate-revoked"}) > 0`,
    for: "6h",
    summary: "{{ $value }} certificates without an OCSP response: {{ $labels.code }}",
    says: "Nothing is stapled for them; clients refuse those that demand it, and revoked ones",
  },
  {
    name: "WickFilterFaults",
    severity: "warning",
    expression: "increase(wick_filter_faults_total[15m]) > 0",
    for: "0m",
    summary: `The balancing filter of controller ${pod} failed`,
    says: "No request was lost: nginx chose endpoints round robin until the filter was back. It is a bug of wick's: the log says where it failed",
  },
  {
    name: "WickPolicyRolledBack",
    severity: "warning",
    expression:
      "increase(wick_policy_rollbacks_total[1h]) > 0 or (wick_policy_rollbacks_total unless wick_policy_rollbacks_total offset 1h)",
    for: "0m",
    summary: "The balancing policy {{ $labels.policy }} failed too often and was taken back",
    says: "Its last good version serves, or round robin. `wick policies` says what is in force; the log has the faults",
  },
  {
    name: "WickZoneNearlyFull",
    severity: "warning",
    expression: "wick_zone_used_bytes / (wick_zone_size_bytes > 0) > 0.9",
    for: "15m",
    summary: `The zone {{ $labels.zone }} of controller ${pod} is {{ $value | humanizePercentage }} full`,
    says: "Zones grow by themselves; one that stays full is at max-zone-size, or may not grow (zone-sizes). What finds no room is refused with the Problem no-room",
  },
  {
    name: "WickClosedForRoom",
    severity: "critical",
    expression: "wick_closed_for_room > 0",
    for: "5m",
    summary: `{{ $value }} routes of controller ${pod} get 503, or are left out, as shared memory has no room for what they should be`,
    says: "Raise max-zone-size, or remove what nobody needs; the Problems no-room, and Events of the Ingresses, name the routes",
  },
  {
    name: "WickNamespaceOverShare",
    severity: "warning",
    expression: `max by (controller_class, controller_namespace, controller_pod, zone, ingress_namespace) (${inNamespaces("wick_zone_namespace_share_ratio")}) > 1`,
    for: "5m",
    summary: `Namespace {{ $labels.ingress_namespace }} wants {{ $value | humanizePercentage }} of its share of the zone {{ $labels.zone }} of controller ${pod}`,
    says: "What is beyond its share (zone-share) gets 503; other namespaces are not concerned. The Problem over-share, and the Event of the Ingress, name the Ingress that uses most",
  },
  {
    name: "WickZoneTooSmall",
    severity: "warning",
    expression: "rate(wick_zone_shortages_total[5m]) > 0",
    for: "15m",
    summary: `The zone {{ $labels.zone }} of controller ${pod} is too small: {{ $value | humanize }} times a second something had to make room too early`,
    says: "Of limits, clients have to share places with others of their namespace, so that they may get less than their limits say; of nonces, clients with Digest authentication are asked again. Give the zone more room (zone-sizes)",
  },
  {
    name: "WickPlacesNearlyTaken",
    severity: "info",
    expression: "wick_zone_slots_used / (wick_zone_slots > 0) > 0.9",
    for: "15m",
    summary: `{{ $value | humanizePercentage }} of the places for what is learned about endpoints are taken in controller ${pod}`,
    says: "Endpoints that find none are balanced without what is learned about them: give the zone more room (zone-sizes)",
  },
  {
    name: "WickWorkersNearlyTooMany",
    severity: "info",
    expression: "wick_zone_processes_alive / (wick_zone_processes > 0) > 0.75",
    for: "15m",
    summary: `{{ $value | humanizePercentage }} of the workers that can take part in learning are there in controller ${pod}`,
    says: "Old workers end too slowly for the number of reloads. Workers beyond that balance without what is learned: lower worker-shutdown-timeout or worker-processes",
  },
  {
    name: "WickSeriesFolded",
    severity: "info",
    expression: "increase(wick_request_samples_folded_total[1h]) > 0",
    for: "1h",
    summary: "Requests are counted without their labels",
    says: "There is no room for more series, or a path has more statuses and methods than are told apart: see docs/metrics.md, What bounds them",
  },
  {
    name: "WickEndpointFails",
    severity: "warning",
    expression: `${attempts("failures")} / (${attempts("attempts")} > 0.1) > 0.5 and on (controller_class, controller_namespace, backend) ${answering} > 0`,
    for: "10m",
    summary:
      "Endpoint {{ $labels.endpoint }} of {{ $labels.backend }} fails {{ $value | humanizePercentage }} of its attempts, others do not",
    says: "Retries hide it from clients, if they are allowed, and cost time. Look at that Pod, and at its node; `wick backends NAME` says by what it fails, and outlier ejection leaves such endpoints out. Needs --metrics-per-endpoint",
  },
  {
    name: "WickSpansLost",
    severity: "info",
    expression: "rate(wick_spans_dropped_total[15m]) + rate(wick_spans_failed_total[15m]) > 0",
    for: "15m",
    summary: `Controller ${pod} loses {{ $value | humanize }} spans a second`,
    says: "Traces have gaps. The collector is too slow, or does not take them: the log says what it answers",
  },
  {
    name: "WickWatchTroubled",
    severity: "critical",
    expression: `max by (${controller}, resource) (wick_watch_troubled) == 1`,
    for: "5m",
    summary: `Controller ${pod} cannot watch {{ $labels.resource }}`,
    says: "It serves what it knew last, so endpoints may be gone. Look at the API server and at the controller's rights; the log has the answers",
  },
  {
    name: "WickWatchSilent",
    severity: "warning",
    expression: `max by (${controller}, resource) (wick_watch_contact_age_seconds) > 300`,
    for: "5m",
    summary: `Controller ${pod} has heard nothing of {{ $labels.resource }} for {{ $value | humanizeDuration }}`,
    says: "A sign of life comes about once a minute even where nothing happens: something between here and the API server swallows it",
  },
  {
    name: "WickNoLeader",
    severity: "warning",
    expression: `sum by (controller_class, controller_namespace, name) (${n}_leader_election_status) == 0`,
    for: "5m",
    summary: "No controller leads by Lease {{ $labels.name }}",
    says: "Status and Events are not written; traffic is not concerned. Look at the rights to Leases, and at the API server",
  },
  {
    name: "WickReplicasDiffer",
    severity: "warning",
    expression: `count by (controller_class, controller_namespace) (count by (controller_class, controller_namespace, hash) (count_values by (controller_class, controller_namespace) ("hash", ${n}_config_hash))) > 1`,
    for: "30m",
    summary: "Replicas of {{ $labels.controller_class }} serve {{ $value }} different configurations",
    says: "One of them cannot reload or does not hear of changes, or an upgrade takes long: compare their logs",
  },
  {
    name: "WickReloadsOften",
    severity: "info",
    expression: `increase(${n}_success[1h]) > 30`,
    for: "15m",
    summary: `nginx of controller ${pod} was reloaded {{ $value | humanize }} times in an hour`,
    says: "Each costs memory and kept connections; ordinary changes need none. `wick_reloads_total` and the log say why",
  },
]
