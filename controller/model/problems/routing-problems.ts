import { error, type ProblemEntry, warning } from "./entry.ts"

/** Hosts and paths: who has which, and which cannot be served. */
export const routingProblems = {
  "host-refused": error(
    "The host of a rule is not a DNS name; its paths are left out",
    'Write a DNS name, or "*." and a DNS name',
  ),
  "host-forbidden": error(
    "The ConfigMap gives the host to other namespaces (admission-hosts); a rule for it is left out, and so is a default backend, an alias or a redirect",
    "Use a host that the message names, or ask the operator of wick",
  ),
  "path-refused": error("A path cannot be used; it is left out", "Correct it as the message says"),
  "path-taken": error(
    "An older Ingress or route, or an earlier rule of the same Ingress, already has this host and path; this one gets no requests",
    "Change the host or the path, or remove it from the other object",
  ),
  "host-owned": error(
    "The host belongs to another namespace: that of its oldest Ingress, or the one that host-owner names. Annotations for the whole host have no effect in this Ingress",
    "Move the annotation into an Ingress of the namespace that the message names, or ask the operator of wick to set host-owner or cross-namespace",
  ),
  "host-foreign": error(
    "The host belongs to another namespace, and cross-namespace is none; the rules of the Ingress for it are left out",
    "Use another host, or ask the operator of wick to set host-owner or cross-namespace",
  ),
  "pattern-foreign": error(
    "A regular expression on a host of another namespace could match every request for that namespace's path /; it is left out",
    "Begin the path with fixed text, as in /api(/|$)(.*)",
  ),
  "resource-backend": error(
    "A backend is a resource, but only Services are supported; its path is left out",
    "Name a Service",
  ),
  "service-name-refused": error(
    "A backend names a Service by a name that no Service can have; its path is left out",
    "Correct the name of the Service",
  ),
  "port-name-refused": error(
    "A backend names a port by a name that no port can have; its path is left out",
    "Correct the name or number of the port",
  ),
  "catch-all-disabled": error(
    "The Ingress has a default backend; --disable-catch-all leaves out every Ingress that has one",
    "Remove spec.defaultBackend, or start wick without --disable-catch-all",
  ),
  "alias-left-out": error(
    "An alias of annotation server-alias belongs to another host, or an older Ingress sets the aliases of this host; the alias is not served",
    "Remove the alias here, or in the Ingress that the message names",
  ),
  "www-redirect-left-out": error(
    "Annotation from-to-www-redirect cannot be used for a host; nothing is redirected to it",
    "Use it only for hosts without a wildcard, and remove any rule for the other name",
  ),
  "bad-pattern": error(
    "A regular expression does not compile; its path is not served; requests get 403 if it is for client certificates, and 500 if it is a snippet's",
    "Correct the regular expression",
  ),
  "pattern-unknown": warning(
    "wick could not find out from nginx whether a regular expression compiles; it tries again",
    "Check nginx's error log if this does not go away",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Hosts whose TLS connections should go to a Service undecrypted. */
export const passthroughProblems = {
  "passthrough-disabled": error(
    "Annotation ssl-passthrough has no effect without --enable-ssl-passthrough; nginx decrypts the connections",
    "Start wick with --enable-ssl-passthrough, or remove the annotation",
  ),
  "passthrough-of-canary": error(
    "A canary has ssl-passthrough, which has no effect there: a canary takes its share of the connections that another Ingress of the host wants passed through",
    "Remove the annotation from the canary",
  ),
  "passthrough-of-wildcard": error(
    "The host of an Ingress with ssl-passthrough is a wildcard or missing; nginx decrypts the connections",
    "Use full host names, without a wildcard",
  ),
  "passthrough-without-service": error(
    "No rule of a host with ssl-passthrough has a Service for the path /; nginx decrypts the connections",
    "Add a rule for path / with the Service that should get the connections",
  ),
  "passthrough-without-endpoint": error(
    "The Service of a host with ssl-passthrough has no ready endpoint, so its connections are closed; or there is no such Service, and nginx decrypts them",
    "Check the Service and its pods",
  ),
  "path-passed-by": warning(
    "All TLS connections for the host go to the Service of its path /, so this path gets none of their requests",
    "Move the path to another host, or remove ssl-passthrough",
  ),
  "clients-not-asked": error(
    "Clients are not asked for certificates, because the host's TLS connections are passed through",
    "Let the Service itself ask for certificates, or remove ssl-passthrough",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Ports of TCP and UDP. */
export const streamProblems = {
  "stream-configmap-missing": error(
    "The ConfigMap of --tcp-services-configmap or --udp-services-configmap does not exist; no such service is served",
    "Create it, or remove the flag",
  ),
  "stream-refused": error(
    "An entry of the ConfigMap of TCP or UDP services cannot be used; its port is not served, and all others are",
    "Correct the entry as the message says",
  ),
  "stream-in-part": warning(
    "Something in an entry of the ConfigMap of TCP or UDP services has no effect; the port is served without it",
    "Correct the entry as the message says",
  ),
  "stream-without-endpoint": error(
    "The Service of a TCP or UDP port does not exist, has no such port, or has no ready endpoint; connections are closed at once",
    "Check the Service and its pods, and the entry of the ConfigMap",
  ),
  "listener-port-taken": error(
    "nginx cannot listen on the port of a listener: wick itself, a TCP service or a listener of another protocol has it, or another program does; in the last case wick tries again",
    "Use another port, or stop the other program",
  ),
  "stream-port-taken": error(
    "nginx cannot listen on the port of a TCP or UDP service, most often because another program does; wick tries again",
    "Use another port, or stop the other program",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
