import { error, info, type ProblemEntry, warning } from "./entry.ts"

/** Services and what stands behind them. */
export const backendProblems = {
  "backend-unusable": error(
    "The Service of a path cannot be reached; requests get 503, or the Service of annotation default-backend answers",
    "Create the Service, or correct its name or port in the Ingress",
  ),
  "fallback-unusable": error(
    "The Service of annotation default-backend cannot be reached; backends without endpoints have no fallback",
    "Create the Service, or correct its name in the annotation",
  ),
  "auth-service-unusable": error(
    "The service of auth-url or global-auth-url cannot be reached; requests get 500",
    "Create the Service, or correct the URL",
  ),
  "default-backend-unusable": error(
    "The Service of --default-backend-service cannot be reached; requests that no rule matches get 404",
    "Create the Service with a port, or correct the flag",
  ),
  "address-type": error(
    "An EndpointSlice has addressType FQDN; its endpoints are left out",
    "Use IP addresses, or a Service of type ExternalName",
  ),
  "address-refused": error(
    "An address is loopback, link-local or otherwise not allowed for endpoints; it is left out",
    "Give the Service endpoints that other machines can reach",
  ),
  "name-stale": warning(
    "DNS does not answer for the name of an ExternalName Service or of an authentication service; its last known addresses stay in use",
    "Check the DNS servers",
  ),
  "backend-name-missing": error(
    "Annotation proxy-ssl-verify is on, and nothing says which name the certificates of endpoints have; requests get 502",
    "Set annotation proxy-ssl-name to that name; upstream-vhost and the name of a Service of type ExternalName count, too",
  ),
  "no-cluster-address": warning(
    "service-upstream is set, but the Service has no usable cluster IP; its pods are used instead",
    "Give the Service a cluster IP, or remove service-upstream",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Backends that several Ingresses name, and canaries. */
export const balancingProblems = {
  "canary-left-out": error(
    "A canary gets no requests: no other Ingress has its host, path and path type, or its Service is in use already",
    "Give it the host, path and path type of another Ingress, and a Service of its own",
  ),
  "backend-is-canary": error(
    "The Service of a path is already the canary of an older Ingress, so it cannot be a backend of its own; the path is left out",
    "Use a different Service in one of the two Ingresses",
  ),
  "balancing-overruled": warning(
    "An older Ingress uses the same Service; its load balancing settings apply",
    "Set the same load balancing annotations on both, or use a separate Service",
  ),
  "balancing-policy-forbidden": warning(
    "The balancing policy of load-balance is not among those that Ingresses of this namespace may use; round robin is used instead",
    "Ask the operator of wick to add it to the ConfigMap's key policies, or name another one",
  ),
  "balancing-policy-missing": warning(
    "There is no module of the balancing policy, neither below --policies nor in the ConfigMap of policies-configmap; round robin is used instead",
    "Put NAME.wasm there, or correct the name",
  ),
  "balancing-policy-refused": warning(
    "The module of a balancing policy cannot be used: it has another digest than the operator demands, no good signature, or did not pass its trial. The last good version stays in force; round robin if there is none",
    "Correct the module as the message says; `wick policy check` says the same before",
  ),
  "balancing-policy-faulty": warning(
    "A balancing policy failed more often in a minute than policy-max-faults allows: it trapped, took too long or named endpoints that are not there. The last good version took its place; round robin if there is none",
    "Give wick another version of it; the same one, taken away and put back, is tried again",
  ),
  "policy-source-unusable": error(
    "Modules of balancing policies cannot be read; those that were read before stay in force",
    "Correct what the message names: regular files of at most 4 MiB called NAME.wasm, which wick's user may read",
  ),
  "geoip-database-missing": warning(
    "A database of --maxmind-edition-ids is not in --geoip-dir. If there was one before, it stays in force; otherwise its variables are empty, and paths with lists that only it could answer get 503",
    "Put NAME.mmdb there, have it downloaded, or name only those databases that there are",
  ),
  "geoip-database-refused": warning(
    "A database of --maxmind-edition-ids is damaged, or cannot be read; the last good version stays in force",
    "Give wick a whole one: written beside its place, and renamed",
  ),
  "geoip-download-failed": warning(
    "A database of GeoIP could not be downloaded; what is in --geoip-dir stays in force, and an hour later it is tried again",
    "Correct what the message says: the key, the mirror, or the directory, which wick's user has to be able to write",
  ),
  "affinity-overruled": warning(
    "An older Ingress uses the same Service; its session cookie settings apply",
    "Set the same affinity annotations on both, or use a separate Service",
  ),
  "cookie-path-of-pattern": warning(
    "A path with session cookies is a regular expression, which browsers cannot compare; the cookie has the directory before it as its path",
    "Set annotation session-cookie-path to a path that all requests of the session begin with",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** What wick's modules in nginx do not take although it is well-formed. */
export const dataPlaneProblems = {
  "no-room": error(
    "A zone of shared memory is full; what does not fit has no effect. The version before stays in force, but paths whose checks or backend have changed get 503, and endpoints that are gone get no requests. Of a new host, the paths that fit are served",
    "Raise max-zone-size in the ConfigMap, up to which zones grow by themselves; or remove unused Ingresses, endpoints or certificates; or divide them among several controllers",
  ),
  "over-share": error(
    "The Ingresses of a namespace need more than its share of a zone of shared memory. Small ones are served first; the message says what becomes of the others: their paths get 503, their hosts show the default certificate, or their connections are not passed through",
    "Remove unused paths or hosts from the Ingress that the message names, or move it into another namespace; or raise zone-share or max-zone-size in the ConfigMap",
  ),
  "reload-waits": info(
    "Annotations need a reload of nginx, because no Ingress had them before, and their namespace has used its share of reloads: two at once, then one of twenty-five that --sync-rate-limit allows. Their hosts stay as they were until the next reload",
    "Wait. If it comes back again and again, find what changes annotations all the time. Values that another Ingress has already need no reload",
  ),
  refused: error(
    "wick's modules in nginx refuse a host, a path, a backend or a certificate; its previous version stays in force, but a single path gets 503",
    "Make it smaller if the message says so; otherwise report the message as a bug of wick",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
