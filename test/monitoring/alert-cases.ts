// When each alert fires, when not, and what people are told then. Series are written as promtool reads them: `1x60` is 1 and sixty times the same,
// `0+2x60` grows by 2 with each minute.

export interface AlertCase {
  readonly alert: string
  readonly series: Readonly<Record<string, string>>
  /** minutes from the first sample at which nobody is told anything */
  readonly quiet?: readonly number[]
  /** minutes at which it fires; absent: never */
  readonly fires?: number
  /** beside severity and name */
  readonly labels?: Readonly<Record<string, string>>
  readonly summary?: string
}

const n = "nginx_ingress_controller"
const pod = 'controller_class="c",controller_namespace="edge",controller_pod="wick-0"'
const other = 'controller_class="c",controller_namespace="edge",controller_pod="wick-1"'
const ofPod = { controller_class: "c", controller_namespace: "edge", controller_pod: "wick-0" }
const ofClass = { controller_class: "c", controller_namespace: "edge" }
/** As the Prometheus operator has it: the target's namespace beside the Ingress's. */
const withOperator = 'namespace="edge",exported_namespace="shop"'
const ofCart = { controller_class: "c", ingress_namespace: "shop", ingress: "cart" }
const day = 86_400

const requests = (labels: string, values: string) => ({ [`${n}_requests{${pod},${labels}}`]: values })
const end = (labels: string, days: number) => ({
  [`${n}_ssl_expire_time_seconds{class="c",host="shop.test",${labels}}`]: `${days * day}x200`,
})

const attempts = (what: "attempts" | "failures", labels: string, values: string) => ({
  [`wick_endpoint_${what}_total{${pod},${labels}}`]: values,
})

const sessions = (what: "failed" | "ended", port: number, values: string) => ({
  [`wick_stream_sessions_${what}_total{${pod},protocol="tcp",port="${port}"}`]: values,
})

export const alertCases: readonly AlertCase[] = [
  {
    alert: "WickAbsent",
    series: { up: "1x60" },
    quiet: [5],
    fires: 15,
    summary: "No controller is measured",
  },
  { alert: "WickAbsent", series: { [`${n}_build_info{${pod}}`]: "1x60" }, quiet: [5, 30, 60] },
  {
    alert: "WickServerErrors",
    series: {
      ...requests(`${withOperator},ingress="cart",status="200"`, "0+60x60"),
      ...requests(`${withOperator},ingress="cart",status="502"`, "0+20x60"),
      ...requests(`${withOperator},ingress="fine",status="200"`, "0+600x60"),
      ...requests(`${withOperator},ingress="fine",status="503"`, "0+6x60"),
    },
    quiet: [5],
    fires: 20,
    labels: ofCart,
    summary: "Ingress shop/cart: 25% of requests fail",
  },
  {
    alert: "WickServerErrors",
    series: {
      ...requests('namespace="shop",ingress="cart",status="200"', "0+60x60"),
      ...requests('namespace="shop",ingress="cart",status="500"', "0+60x60"),
      ...requests('namespace="blog",ingress="cart",status="200"', "0+60x60"),
    },
    fires: 20,
    labels: ofCart,
    summary: "Ingress shop/cart: 50% of requests fail",
  },
  {
    alert: "WickServerErrors",
    // one request now and then says nothing
    series: requests(`${withOperator},ingress="cart",status="502"`, "0+1x60"),
    quiet: [20, 60],
  },
  {
    alert: "WickPortFails",
    series: {
      ...sessions("ended", 5432, "0+60x60"),
      ...sessions("failed", 5432, "0+15x60"),
      ...sessions("ended", 53, "0+600x60"),
      ...sessions("failed", 53, "0+6x60"),
    },
    quiet: [5],
    fires: 20,
    labels: { ...ofClass, protocol: "tcp", port: "5432" },
    summary: "tcp port 5432: 25% of sessions reach no endpoint",
  },
  {
    alert: "WickPortFails",
    // one session now and then says nothing
    series: { ...sessions("ended", 5432, "0+1x60"), ...sessions("failed", 5432, "0+1x60") },
    quiet: [20, 60],
  },
  {
    alert: "WickNoBackend",
    series: {
      [`${n}_orphan_ingress{${pod},${withOperator},ingress="cart",type="no-service"}`]: "0x60",
      [`${n}_orphan_ingress{${pod},${withOperator},ingress="cart",type="no-endpoint"}`]: "1x60",
      [`${n}_orphan_ingress{${other},${withOperator},ingress="cart",type="no-endpoint"}`]: "1x60",
    },
    quiet: [10],
    fires: 20,
    labels: { ...ofCart, type: "no-endpoint" },
    summary: "Ingress shop/cart names a Service that has no endpoints",
  },
  {
    alert: "WickNoBackend",
    series: { [`${n}_orphan_ingress{${pod},namespace="shop",ingress="cart",type="no-service"}`]: "1x60" },
    fires: 20,
    labels: { ...ofCart, type: "no-service" },
    summary: "Ingress shop/cart names a Service that cannot be used",
  },
  {
    alert: "WickReloadFailed",
    series: {
      [`${n}_config_last_reload_successful{${pod}}`]: "1x9 0x60",
      [`${n}_config_last_reload_successful{${other}}`]: "1x70",
    },
    quiet: [9, 12],
    fires: 16,
    labels: ofPod,
    summary: "Controller edge/wick-0 cannot reload nginx",
  },
  {
    alert: "WickPassesFail",
    series: {
      [`wick_pass_errors_total{${pod}}`]: "0+1x60",
      [`wick_pass_errors_total{${other}}`]: "0x10 2x50",
    },
    quiet: [3],
    fires: 20,
    labels: ofPod,
    summary: "Controller edge/wick-0 cannot bring changes to nginx",
  },
  {
    alert: "WickChangesSlow",
    series: {
      [`wick_change_duration_seconds_bucket{${pod},by="post",le="5"}`]: "0+1x90",
      [`wick_change_duration_seconds_bucket{${pod},by="post",le="10"}`]: "0+6x90",
      [`wick_change_duration_seconds_bucket{${pod},by="post",le="+Inf"}`]: "0+6x90",
      [`wick_change_duration_seconds_bucket{${pod},by="reload",le="+Inf"}`]: "0+60x90",
      [`wick_change_duration_seconds_bucket{${other},by="post",le="5"}`]: "0+1x90",
      [`wick_change_duration_seconds_bucket{${other},by="post",le="+Inf"}`]: "0+1x90",
    },
    quiet: [5],
    fires: 60,
    labels: ofPod,
    summary: "Changes take 9.4s to get to nginx in controller edge/wick-0",
  },
  {
    alert: "WickNginxDied",
    series: { [`wick_nginx_restarts_total{${pod}}`]: "0x10 1x60" },
    quiet: [10, 40],
    fires: 12,
    labels: ofPod,
    summary: "nginx of controller edge/wick-0 died and was started again",
  },
  {
    alert: "WickProblems",
    series: {
      [`wick_problems{${pod},code="path-taken"}`]: "2x60",
      [`wick_problems{${other},code="path-taken"}`]: "2x60",
      // nothing is lost by it
      [`wick_problems{${pod},code="key-twice"}`]: "1x60",
    },
    quiet: [20],
    fires: 40,
    labels: { ...ofClass, code: "path-taken" },
    summary: "2 Problems path-taken",
  },
  {
    alert: "WickCertificateExpires",
    series: { ...end(`${withOperator},secret_name="tls"`, 10), ...end('namespace="",secret_name=""', 1) },
    quiet: [30],
    fires: 120,
    labels: { class: "c", host: "shop.test", ingress_namespace: "shop", secret_name: "tls" },
    summary: "The certificate shop/tls of host shop.test ends in 9d 22h 0m 0s",
  },
  {
    alert: "WickCertificateExpires",
    series: end('namespace="shop",secret_name="tls"', 30),
    quiet: [30, 120],
  },
  {
    alert: "WickCertificateExpiresNow",
    series: end('namespace="shop",secret_name="tls"', 2),
    quiet: [2],
    fires: 60,
    labels: { class: "c", host: "shop.test", ingress_namespace: "shop", secret_name: "tls" },
    summary: "The certificate shop/tls of host shop.test ends in 1d 23h 0m 0s",
  },
  {
    alert: "WickOcspFails",
    series: {
      [`wick_problems{${pod},code="ocsp-failing"}`]: "3x400",
      [`wick_problems{${pod},code="path-taken"}`]: "3x400",
    },
    quiet: [300],
    fires: 380,
    labels: { ...ofClass, code: "ocsp-failing" },
    summary: "3 certificates without an OCSP response: ocsp-failing",
  },
  {
    alert: "WickFilterFaults",
    series: { [`wick_filter_faults_total{${pod}}`]: "0x10 1x60" },
    quiet: [10, 40],
    fires: 12,
    labels: ofPod,
    summary: "The balancing filter of controller edge/wick-0 failed",
  },
  {
    alert: "WickPolicyRolledBack",
    // the counter begins with the first time
    series: { [`wick_policy_rollbacks_total{${pod},policy="p2"}`]: "_x10 1x200" },
    quiet: [9, 90],
    fires: 12,
    labels: { ...ofPod, policy: "p2" },
    summary: "The balancing policy p2 failed too often and was taken back",
  },
  {
    alert: "WickPolicyRolledBack",
    series: { [`wick_policy_rollbacks_total{${pod},policy="p2"}`]: "1x100 2x100" },
    quiet: [99],
    fires: 110,
    labels: { ...ofPod, policy: "p2" },
    summary: "The balancing policy p2 failed too often and was taken back",
  },
  {
    alert: "WickZoneNearlyFull",
    series: {
      [`wick_zone_used_bytes{${pod},zone="routes"}`]: "95x60",
      [`wick_zone_size_bytes{${pod},zone="routes"}`]: "100x60",
      [`wick_zone_used_bytes{${pod},zone="backends"}`]: "50x60",
      [`wick_zone_size_bytes{${pod},zone="backends"}`]: "100x60",
    },
    quiet: [10],
    fires: 20,
    labels: { ...ofPod, zone: "routes" },
    summary: "The zone routes of controller edge/wick-0 is 95% full",
  },
  {
    alert: "WickClosedForRoom",
    series: { [`wick_closed_for_room{${pod}}`]: "0x10 3x60" },
    quiet: [9, 14],
    fires: 17,
    labels: ofPod,
    summary:
      "3 routes of controller edge/wick-0 get 503, or are left out, as shared memory has no room for what they should be",
  },
  {
    alert: "WickNamespaceOverShare",
    series: {
      [`wick_zone_namespace_share_ratio{${pod},zone="routes",namespace="edge",exported_namespace="greedy"}`]:
        "0.9x10 1.5x60",
      [`wick_zone_namespace_share_ratio{${pod},zone="routes",namespace="shop"}`]: "1x70",
    },
    quiet: [9, 14],
    fires: 17,
    labels: { ...ofPod, zone: "routes", ingress_namespace: "greedy" },
    summary: "Namespace greedy wants 150% of its share of the zone routes of controller edge/wick-0",
  },
  {
    alert: "WickZoneTooSmall",
    series: {
      [`wick_zone_shortages_total{${pod},zone="limits"}`]: "0x10 0+120x60",
      [`wick_zone_shortages_total{${pod},zone="nonces"}`]: "7x70",
    },
    quiet: [10, 20],
    fires: 35,
    labels: { ...ofPod, zone: "limits" },
    summary:
      "The zone limits of controller edge/wick-0 is too small: 2 times a second something had to make room too early",
  },
  {
    alert: "WickPlacesNearlyTaken",
    series: {
      [`wick_zone_slots_used{${pod},zone="backends"}`]: "96x60",
      [`wick_zone_slots{${pod},zone="backends"}`]: "100x60",
      [`wick_zone_slots_used{${pod},zone="routes"}`]: "0x60",
      [`wick_zone_slots{${pod},zone="routes"}`]: "0x60",
    },
    quiet: [10],
    fires: 20,
    labels: { ...ofPod, zone: "backends" },
    summary: "96% of the places for what is learned about endpoints are taken in controller edge/wick-0",
  },
  {
    alert: "WickWorkersNearlyTooMany",
    series: {
      [`wick_zone_processes_alive{${pod},zone="backends"}`]: "4x10 200x60",
      [`wick_zone_processes{${pod},zone="backends"}`]: "256x70",
    },
    quiet: [20],
    fires: 30,
    labels: { ...ofPod, zone: "backends" },
    summary: "78.12% of the workers that can take part in learning are there in controller edge/wick-0",
  },
  {
    alert: "WickSeriesFolded",
    series: { 'wick_request_samples_folded_total{instance="a"}': "0x20 0+1x200" },
    quiet: [20],
    fires: 100,
    labels: { instance: "a" },
    summary: "Requests are counted without their labels",
  },
  {
    alert: "WickEndpointFails",
    series: {
      ...attempts("attempts", 'backend="b",endpoint="10.0.0.1:80"', "0+600x60"),
      ...attempts("attempts", 'backend="b",endpoint="10.0.0.2:80"', "0+60x60"),
      ...attempts("failures", 'backend="b",endpoint="10.0.0.2:80",cause="timeout"', "0+45x60"),
      ...attempts("attempts", 'backend="down",endpoint="10.0.0.3:80"', "0+60x60"),
      ...attempts("failures", 'backend="down",endpoint="10.0.0.3:80",cause="connect"', "0+60x60"),
    },
    quiet: [5],
    fires: 20,
    labels: { ...ofClass, backend: "b", endpoint: "10.0.0.2:80" },
    summary: "Endpoint 10.0.0.2:80 of b fails 75% of its attempts, others do not",
  },
  {
    alert: "WickEndpointFails",
    series: {
      ...attempts("attempts", 'backend="b",endpoint="10.0.0.1:80"', "0+600x60"),
      ...attempts("failures", 'backend="b",endpoint="10.0.0.1:80",cause="error"', "0+60x60"),
    },
    quiet: [20, 60],
  },
  {
    alert: "WickSpansLost",
    series: {
      [`wick_spans_dropped_total{${pod}}`]: "0+60x90",
      [`wick_spans_failed_total{${pod}}`]: "0+120x90",
      [`wick_spans_dropped_total{${other}}`]: "5x90",
      [`wick_spans_failed_total{${other}}`]: "0x90",
    },
    quiet: [10],
    fires: 60,
    labels: ofPod,
    summary: "Controller edge/wick-0 loses 3 spans a second",
  },
  {
    alert: "WickWatchTroubled",
    series: {
      [`wick_watch_troubled{${pod},resource="EndpointSlices"}`]: "1x60",
      [`wick_watch_troubled{${pod},resource="Services"}`]: "0x60",
    },
    quiet: [3],
    fires: 10,
    labels: { ...ofPod, resource: "EndpointSlices" },
    summary: "Controller edge/wick-0 cannot watch EndpointSlices",
  },
  {
    alert: "WickWatchSilent",
    series: {
      [`wick_watch_contact_age_seconds{${pod},resource="Secrets"}`]: "0+60x60",
      [`wick_watch_contact_age_seconds{${pod},resource="Services"}`]: "60x60",
    },
    quiet: [8],
    fires: 20,
    labels: { ...ofPod, resource: "Secrets" },
    summary: "Controller edge/wick-0 has heard nothing of Secrets for 20m 0s",
  },
  {
    alert: "WickNoLeader",
    series: {
      [`${n}_leader_election_status{${pod},name="lock"}`]: "0x60",
      [`${n}_leader_election_status{${other},name="lock"}`]: "1x9 0x50",
    },
    quiet: [9, 12],
    fires: 20,
    labels: { ...ofClass, name: "lock" },
    summary: "No controller leads by Lease lock",
  },
  {
    alert: "WickReplicasDiffer",
    series: { [`${n}_config_hash{${pod}}`]: "1x90", [`${n}_config_hash{${other}}`]: "1x20 2x70" },
    quiet: [20, 40],
    fires: 60,
    labels: ofClass,
    summary: "Replicas of c serve 2 different configurations",
  },
  {
    alert: "WickReloadsOften",
    series: { [`${n}_success{${pod}}`]: "0+2x200", [`${n}_success{${other}}`]: "0+0.1x200" },
    quiet: [10],
    fires: 120,
    labels: ofPod,
    summary: "nginx of controller edge/wick-0 was reloaded 120 times in an hour",
  },
]
