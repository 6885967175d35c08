import { externalNameIsAddress, namesTargetPort, sharesBackendName } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import { flag, problemOf } from "./matching.ts"

/** Differences under the heading "Services and endpoints". */
export const servicesDifferences = {
  "service-upstream-target-port": {
    what: "`service-upstream` is on, and a path names a port that only the endpoints have",
    before: "The ClusterIP is asked at the targetPort",
    now: "The ClusterIP is asked at the Service's port",
    why: "Nothing listens on the targetPort there",
    concerns: namesTargetPort,
  },
  "default-backend-endpoints-service-come-go": {
    what: "`default-backend`: the endpoints of its Service come and go",
    before: "Reload",
    now: "Posted",
    concerns: operation,
  },
  "backend-name-shared": {
    what: "Two backends, such as `a-b/c:80` and `a/b-c:80` (namespace/service:port), have the same short name",
    before: "Both are named `a-b-c-80`, so the two Services share one backend",
    now: "The backend of the older Ingress is named `a-b-c-80`; the other one is named by its key, `a/b-c:80`",
    why: "Endpoints of one namespace must not serve another",
    concerns: sharesBackendName,
  },
  "endpointslices-belong-service": {
    what: "Which EndpointSlices belong to a Service",
    before: "Those with the label whose name begins with the Service's name",
    now: "Those with the label",
    why: "The API defines the label",
    concerns: everyRequest,
  },
  "endpoint-address-refused": {
    what: "An endpoint has an address that no backend may have",
    before: "Any address is used",
    now: "Loopback (except in manifests mode), link-local, unspecified, multicast and reserved addresses are refused. So are IPv6 addresses that contain such an IPv4 address (mapped, NAT64, 6to4, Teredo), and the Pod's own addresses with the ports of health, metrics, webhook and default server",
    why: "An EndpointSlice must not reach the node or the pod itself",
    concerns: problemOf("EndpointSlice", "address-refused"),
  },
  "external-name-lookup": {
    what: "A Service of type ExternalName has an IP address as its name",
    before: "The address does not work as a name; every worker looks names up every second",
    now: "The address is used as it is. The controller looks names up when their TTL is over, and posts the addresses ([decision 0011](decisions/0011-names-are-looked-up-by-the-controller.md))",
    why: "One lookup for all workers; no request waits for DNS",
    concerns: externalNameIsAddress,
  },
  "external-name-address-refused": {
    what: "DNS gives a Service of type ExternalName an address that no backend may have",
    before: "Any address is used",
    now: "The rules for addresses of endpoints hold: loopback (except in manifests mode, where wick's own metrics, status and default server ports stay refused), link-local and so on are refused, with a Problem",
    why: "A name in somebody's DNS zone must not reach the node or the pod",
    concerns: problemOf("Service", "address-refused"),
  },
  "externalname-services-dns-down": {
    what: "ExternalName Services: DNS is down",
    before: "The cached answer until its TTL is over, then 503",
    now: "The last answer stays in use, with a Problem",
    why: "An outage of DNS is not an outage of the backend",
    concerns: operation,
  },
  "enable-topology-aware-routing": {
    what: "`--enable-topology-aware-routing` is set",
    before:
      "Each EndpointSlice is decided by itself. With `topology-mode: auto`, a zone without endpoints gets none",
    now: "All ready endpoints are looked at together, as by kube-proxy. If none is meant for the zone, all are used. `PreferSameZone` means the same as `PreferClose`",
    why: "No 503 while there are endpoints",
    concerns: flag("enable-topology-aware-routing", "enableTopologyAwareRouting"),
  },
} satisfies Differences
