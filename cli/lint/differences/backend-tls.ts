import { sharesHost } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { both, either, isProtocol, problem, refused, says, uses, withoutAny } from "./matching.ts"

const overTls = isProtocol("https", "auto", "grpcs")

/** Differences under the heading "TLS to backends". */
export const backendTlsDifferences = {
  "proxy-ssl-of-shared-host": {
    what: "Several Ingresses share the host, and one of them has `proxy-ssl-secret`",
    before:
      "The first Ingress of a host that has a CA decides for all paths of the host (unless `proxy-ssl-location-only` is set)",
    now: "Each Ingress decides for its own paths",
    why: "An Ingress must not present another one's client certificate",
    concerns: sharesHost("proxy-ssl-secret"),
  },
  "proxy-ssl-secret-unusable": {
    what: "`proxy-ssl-secret` is one that OpenSSL refuses, or lacks the `ca.crt` that `proxy-ssl-verify` needs",
    before: "nginx refuses the whole configuration, for everybody",
    now: "The Ingress is denied",
    why: "One mistake must not stop everybody else, and no backend is trusted unverified",
    concerns: both(uses("proxy-ssl-secret"), problem("secret-refused", "proxy-ssl-secret")),
  },
  "proxy-ssl-server-name-without-secret": {
    what: "`proxy-ssl-server-name` is on, and `proxy-ssl-secret` is missing",
    before: "Endpoints are sent no server name",
    now: "Endpoints are sent the server name",
    why: "Endpoints that have several certificates, as behind a Service of type ExternalName, need the name",
    concerns: both(says("tls", "sendsName", true), withoutAny("proxy-ssl-secret"), overTls),
  },
  "proxy-ssl-name-by-service": {
    what: "`proxy-ssl-verify` or `proxy-ssl-server-name` is on, and `proxy-ssl-name` is missing",
    before:
      "Endpoints have to be called, and are told that they are called, `upstream_balancer`: each request gets 502 where they are verified",
    now: "Endpoints are called as `upstream-vhost` says, else by the name of a Service of type ExternalName. Where there is neither, no name is sent, and a Problem says that verification cannot succeed",
    concerns: both(
      either(says("tls", "verifies", true), says("tls", "sendsName", true)),
      uses("proxy-ssl-secret"),
      withoutAny("proxy-ssl-name"),
      overTls,
    ),
  },
  "proxy-ssl-verify-without-secret": {
    what: "`proxy-ssl-verify` is on for backends that speak TLS, and `proxy-ssl-secret` is missing",
    before: "No backend is verified",
    now: "The Ingress is denied, with a Problem",
    why: "Without CAs nobody can be verified",
    concerns: problem("backends-unverified"),
  },
  "proxy-ssl-verify-refused": {
    what: "`proxy-ssl-verify` is neither `on` nor `off`",
    before: "No backend is verified",
    now: "The Ingress is denied, with a Problem",
    why: "A typo must not switch verification off",
    concerns: refused("proxy-ssl-verify"),
  },
  "proxy-ssl-secret-can-no-longer": {
    what: "`proxy-ssl-secret` that can no longer be used",
    before: "The previous files stay in use",
    now: "The previous version stays in use, with a Problem",
    why: "As for every Secret",
    concerns: operation,
  },
  "proxy-ssl-ciphers-unknown": {
    what: "`proxy-ssl-ciphers` has no cipher that OpenSSL knows",
    before: "nginx refuses the whole configuration, for everybody",
    now: "The annotation is ignored, with a Problem",
    why: "One mistake must not stop everybody else",
    concerns: refused("proxy-ssl-ciphers"),
  },
} satisfies Differences
