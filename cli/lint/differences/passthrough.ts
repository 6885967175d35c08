import { passesTls } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "TLS passthrough". */
export const passthroughDifferences = {
  "ssl-passthrough": {
    what: "`ssl-passthrough`",
    before:
      "The controller accepts all HTTPS connections, reads the server name (SNI), and pipes each one to its target or, with PROXY protocol, to a second port of nginx. A new or removed host is a reload",
    now: "nginx's workers read the server name of the connections that they accept. Passed-through connections continue in nginx's stream module; all others are decrypted right there. Hosts are posted, no reload",
    why: "All other connections have no extra hop and no extra copy. A restart of the controller ends no connection",
    concerns: operation,
  },
  "ssl-passthrough-without-enable-ssl-passthrough": {
    what: "`ssl-passthrough` without `--enable-ssl-passthrough`, on a wildcard host, without a Service for `/`, or beside other paths",
    before: "Ignored, with at most a log line",
    now: "A Problem. What cannot be passed through is decrypted as usual",
    concerns: operation,
  },
  "ssl-passthrough-without-cluster-ip": {
    what: "`ssl-passthrough` is on",
    before:
      "Connections go to the Service's ClusterIP, and the cluster chooses the endpoint; without one nothing is passed through",
    now: "Connections go to the ready endpoints of the backend of `/`, as its requests do: by its algorithm, weights of canaries and outlier ejection; one that is refused is tried elsewhere. With `service-upstream` they go to the ClusterIP",
    why: "Headless and ExternalName Services work too, and a dead endpoint costs no connection",
    concerns: passesTls,
  },
  "ssl-passthrough-plain-http": {
    what: "`ssl-passthrough` is on, and its host may be asked by plain HTTP",
    before: "The backend of `/` is reached by HTTPS, in every Ingress of the host that uses it",
    now: "The backends of all paths of the Ingresses with the annotation are reached by HTTPS",
    why: "An annotation must not change the protocol of another Ingress's backends",
    concerns: passesTls,
  },
  "ssl-passthrough-proxy-port": {
    what: "`--ssl-passthrough-proxy-port`",
    before: "The port of nginx behind the controller",
    now: "Accepted, but nothing listens there",
    why: "Nothing needs to connect to it",
    concerns: operation,
  },
} satisfies Differences
