import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "TCP and UDP services". */
export const streamsDifferences = {
  "stream-without-endpoints": {
    what: "A TCP or UDP service whose Service has no ready endpoint, or does not exist",
    before: "Its port is closed, by a reload, and opened by another one when there is an endpoint",
    now: "Its port stays open, and connections are closed at once. A Problem says why",
    why: "Pods that come and go cost no reloads, and nobody else can take the port meanwhile",
    concerns: operation,
  },
  "stream-entries": {
    what: "A wrong entry among the TCP or UDP services: no number, a port of the controller's own, nonsense",
    before:
      "Left out with a line in the log. A port above 65535, one written twice (`9000` and `09000`) or the webhook's makes every reload fail",
    now: "Left out with a Problem and an Event; all others are served",
    concerns: operation,
  },
  "stream-port-in-use": {
    what: "A port of a TCP or UDP service that another program on the machine has",
    before: "Every reload fails",
    now: "It is left out with a Problem, and tried again",
    concerns: operation,
  },
  "stream-changes": {
    what: "The Service, the PROXY flags or a `proxy-stream-…` key of TCP and UDP services change",
    before: "A reload",
    now: "Posted; only a port that comes or goes is a reload",
    concerns: operation,
  },
  "stream-backend-names": {
    what: "`$proxy_upstream_name` in `log-format-stream`",
    before: "`tcp-NAMESPACE-SERVICE-PORT`",
    now: "`tcp:NAMESPACE/SERVICE:PORT`",
    why: "The former may be the name of a backend of requests, too",
    concerns: operation,
  },
  "stream-udp-workers": {
    what: "UDP services with several workers",
    before: "Datagrams of one client may come to several workers, each with a session of its own",
    now: "Each client's datagrams come to one worker (`reuseport`)",
    concerns: operation,
  },
  "stream-external-name": {
    what: "`--disable-svc-external-name`",
    before: "TCP and UDP services lead to Services of type ExternalName all the same",
    now: "They do not",
    concerns: operation,
  },
  "stream-port": {
    what: "`--stream-port`",
    before: "nginx takes TCP and UDP backends there, on 127.0.0.1",
    now: "Accepted, and no TCP or UDP service may have it; nothing listens there",
    why: "Backends of all kinds take the same way, a unix socket",
    concerns: operation,
  },
  "stream-snippet-of-ingress": {
    what: "The annotation `stream-snippet`",
    before: "It is in effect for the ports of all, where the ConfigMap allows snippets",
    now: "No effect. A Problem says the entry of TCP or UDP services that does the same",
    why: "Which ports are open is the operator's matter",
    concerns: operation,
  },
} satisfies Differences
