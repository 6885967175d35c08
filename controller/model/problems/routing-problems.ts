import { error, type ProblemEntry, warning } from "./entry.ts"

/** Hosts and paths: who has which, and which cannot be served. */
export const routingProblems = {
  "host-refused": error(
    "The host of a rule is no DNS name; its paths are left out",
    'Write a DNS name, or "*." and a DNS name',
  ),
  "path-refused": error("A path cannot be used; it is left out", "Correct it as the message says"),
  "path-taken": error(
    "An older Ingress, or an earlier rule of the same one, has the host and path already; this one gets no requests",
    "Change the host or the path, or remove it from the other Ingress",
  ),
  "resource-backend": error(
    "A backend is a resource, and only Services are supported; its path is left out",
    "Name a Service",
  ),
  "service-name-refused": error(
    "No Service can have the name that a backend names; its path is left out",
    "Correct the name of the Service",
  ),
  "port-name-refused": error(
    "No port can have the name that a backend names; its path is left out",
    "Correct the name or number of the port",
  ),
  "catch-all-disabled": error(
    "The Ingress has a default backend, and --disable-catch-all leaves out all that have one",
    "Remove spec.defaultBackend, or start wick without --disable-catch-all",
  ),
  "alias-left-out": error(
    "A name of annotation server-alias belongs to another host, or the aliases are those of an older Ingress; the name is not served",
    "Remove it here, or where the message says that it is used",
  ),
  "www-redirect-left-out": error(
    "Annotation from-to-www-redirect does not fit a host; nothing is redirected to it",
    "Use it only on hosts without wildcard, and remove the rule for the other name",
  ),
  "bad-pattern": error(
    "A regular expression does not compile; its path is not served, or requests get 403 where it is about clients' certificates",
    "Correct the regular expression",
  ),
  "pattern-unknown": warning(
    "nginx did not say whether a regular expression compiles; wick asks again",
    "Check nginx's log for errors if this stays",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Hosts whose TLS connections should go to a Service undecrypted. */
export const passthroughProblems = {
  "passthrough-disabled": error(
    "Annotation ssl-passthrough has no effect without --enable-ssl-passthrough; nginx decrypts the connections",
    "Start wick with --enable-ssl-passthrough, or remove the annotation",
  ),
  "passthrough-of-canary": error(
    "A canary asks for ssl-passthrough, and a canary takes requests, not connections; it has no effect",
    "Remove the annotation from the canary",
  ),
  "passthrough-of-wildcard": error(
    "The host of an Ingress with ssl-passthrough is a wildcard or missing; nginx decrypts the connections",
    "Write whole hosts",
  ),
  "passthrough-without-service": error(
    "No rule of a host with ssl-passthrough has a Service for the path /; nginx decrypts the connections",
    "Add the path / with the Service that the connections should go to",
  ),
  "passthrough-without-endpoint": error(
    "The Service of a host with ssl-passthrough has neither an address nor a ready endpoint; nginx decrypts the connections",
    "Check the Service and its pods",
  ),
  "path-passed-by": warning(
    "All TLS connections for the host go to the Service of its path /, so this path gets none of their requests",
    "Move the path to another host, or remove ssl-passthrough",
  ),
  "clients-not-asked": error(
    "Clients are not asked for certificates, because the host's TLS connections are passed through",
    "Let the Service ask for certificates, or remove ssl-passthrough",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
