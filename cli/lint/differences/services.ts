import { externalNameIsAddress, namesTargetPort, sharesBackendName } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import { flag, problemOf } from "./matching.ts"

/** Differences under the heading "Services and endpoints". */
export const servicesDifferences = {
  "service-upstream-target-port": {
    what: "`service-upstream`, and the Ingress names the targetPort",
    before: "The ClusterIP with the targetPort",
    now: "The ClusterIP with the Service's port",
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
    what: "Backends `a-b/c:80` and `a/b-c:80` (namespace/service:port)",
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
    what: "Addresses of endpoints",
    before: "Any",
    now: "Loopback (except in manifests mode), link-local, unspecified, multicast and reserved addresses are refused. So are IPv6 addresses that contain such an IPv4 address (mapped, NAT64, 6to4, Teredo), and the Pod's own addresses with the ports of health, metrics, webhook and default server",
    why: "An EndpointSlice must not reach the node or the pod itself",
    concerns: problemOf("EndpointSlice", "address-refused"),
  },
  "external-name-lookup": {
    what: "ExternalName Services: lookup",
    before: "Every worker resolves the name every second. An IP address as name does not work",
    now: "The controller resolves the name again when its TTL is over, and posts the addresses ([decision 0011](decisions/0011-names-are-looked-up-by-the-controller.md)). An IP address is used as it is",
    why: "One lookup for all workers; no request waits for DNS",
    concerns: externalNameIsAddress,
  },
  "external-name-address-refused": {
    what: "ExternalName Services: the addresses that DNS returns",
    before: "Any",
    now: "The rules for addresses of endpoints: loopback (except in manifests mode, where wick's own metrics, status and default server ports stay refused), link-local and so on are refused with a Problem",
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
    what: "`--enable-topology-aware-routing`",
    before: "Decided for each EndpointSlice. With `topology-mode: auto`, a zone without endpoints gets none",
    now: "Decided over all ready endpoints, as kube-proxy does. If none is meant for the zone, all are used. `PreferSameZone` means the same as `PreferClose`",
    why: "No 503 while there are endpoints",
    concerns: flag("enable-topology-aware-routing", "enableTopologyAwareRouting"),
  },
} satisfies Differences
