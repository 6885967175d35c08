import { error, type ProblemEntry, warning } from "./entry.ts"

/** Services and what stands behind them. */
export const backendProblems = {
  "backend-unusable": error(
    "The Service of a path cannot be reached; requests get 503, or the Service of annotation default-backend answers",
    "Create the Service, or correct its name or port in the Ingress",
  ),
  "fallback-unusable": error(
    "The Service of annotation default-backend cannot be reached; nothing answers for backends without endpoints",
    "Create the Service, or correct its name in the annotation",
  ),
  "default-backend-unusable": error(
    "The Service of --default-backend-service cannot be reached; requests that no rule matches get 404",
    "Create the Service with a port, or correct the flag",
  ),
  "address-type": error(
    "An EndpointSlice is of addressType FQDN; its endpoints are left out",
    "Write IP addresses, or a Service of type ExternalName",
  ),
  "address-refused": error(
    "An address is loopback, link-local or another that no endpoint may have; it is left out",
    "Give the Service endpoints that other machines can reach",
  ),
  "name-stale": warning(
    "DNS gives no answer about the name of a Service of type ExternalName; the addresses it had are used",
    "Check the DNS servers",
  ),
  "no-cluster-address": warning(
    "service-upstream asks for the address of a Service that has none which can be used; its pods are used",
    "Give the Service a cluster IP, or remove service-upstream",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Backends that several Ingresses name, and canaries. */
export const balancingProblems = {
  "canary-left-out": error(
    "A canary has nothing that it may take the place of; it gets no requests",
    "Give it the host, path and path type of another Ingress, and a Service of its own",
  ),
  "backend-is-canary": error(
    "The Service of a path is the canary of an older Ingress and cannot serve by itself; the path is left out",
    "Name another Service here or there",
  ),
  "balancing-overruled": warning(
    "An older Ingress names the same Service and decides how it is balanced",
    "Write the same balancing annotations in both, or use a Service of its own",
  ),
  "affinity-overruled": warning(
    "An older Ingress names the same Service and decides about the cookie of its sessions",
    "Write the same affinity annotations in both, or use a Service of its own",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** What wick's modules in nginx do not take although it is well-formed. */
export const dataPlaneProblems = {
  "no-room": error(
    "A zone of shared memory is full; what does not fit is not in force, and what was there before it stays",
    "Remove Ingresses, endpoints or certificates that nobody needs, or divide them between controllers",
  ),
  refused: error(
    "The modules in nginx refuse a host, backend or certificate; what was there before it stays",
    "Make it smaller if the message says so; otherwise report the message as a bug of wick",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
