import { type Differences, operation } from "./difference.ts"
import { flag } from "./matching.ts"

/** Differences under the heading "OCSP and issuers". */
export const ocspDifferences = {
  "enable-ocsp-when-responses-fetched": {
    what: "`enable-ocsp`: when responses are fetched",
    before: "By a worker, when a handshake finds nothing in its cache; again after 3 days",
    now: "By the controller, when the certificate goes into use; again after half of the response's lifetime, at most 3 days. Responses survive restarts. After failures the pauses grow to an hour, with a Problem",
    why: "Handshakes fetch nothing, and staples are renewed before they expire",
    concerns: operation,
  },
  "enable-ocsp-response-signed-sha-1": {
    what: "`enable-ocsp`: a response signed with SHA-1, or without `nextUpdate`",
    before: "Stapled",
    now: "SHA-1 is refused. Without `nextUpdate` a response is used for a day",
    why: "Browsers refuse them, and the connection with them",
    concerns: operation,
  },
  "enable-ocsp-revoked-certificate": {
    what: "`enable-ocsp`: a revoked certificate",
    before: "Shown without a staple",
    now: "The same, with a Problem on the Secret",
    why: "Its owner should know first",
    concerns: operation,
  },
  "urls-certificates-ocsp-responders-issuers": {
    what: "URLs in certificates (OCSP responders, issuers)",
    before: "Any",
    now: "`http://` only, without redirects, and only to addresses that an endpoint could have: not loopback (except in manifests mode), link-local, unspecified, multicast or reserved",
    why: "The author of a Secret must not reach the node, the pod or a metadata service",
    concerns: operation,
  },
  "enable-ssl-chain-completion": {
    what: "`--enable-ssl-chain-completion` is set",
    before: "Missing certificates are fetched while the Secret is read. The chain contains the root as well",
    now: "Missing certificates are fetched in the background, so the first handshakes may show the chain as it is in the Secret. What was fetched survives restarts. The chain does not contain the root",
    why: "Nothing waits for somebody else's server",
    concerns: flag("enable-ssl-chain-completion", "enableSslChainCompletion"),
  },
} satisfies Differences
