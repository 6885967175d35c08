import { error, type ProblemEntry, warning } from "./entry.ts"

/** Secrets that TLS uses, and the certificates in them. */
export const certificateProblems = {
  "secret-missing": error(
    "The Secret of a tls entry does not exist; another certificate is shown",
    "Create the Secret, or correct secretName",
  ),
  "secret-refused": error(
    "A Secret lacks a key, or holds something that cannot be used; another certificate is shown, or requests get 503 or 403",
    "Put into the Secret what the message misses",
  ),
  "secret-stale": warning(
    "The newest version of a Secret cannot be used; the version before it stays in use, but not over a restart of wick",
    "Correct the Secret before wick restarts",
  ),
  "certificate-expiry": warning(
    "A certificate has run out, or runs out within ten days; it is shown all the same",
    "Renew it",
  ),
  "certificate-revoked": error(
    "A certificate was revoked by its issuer; it is shown without a staple, and clients may refuse it",
    "Put a new certificate in its place",
  ),
  "chain-incomplete": warning(
    "A certificate of the chain is neither in the Secret nor to be fetched; clients may refuse the chain",
    "Put the missing certificate into tls.crt",
  ),
  "default-certificate-unusable": error(
    "The Secret of --default-ssl-certificate cannot be used; a self-signed certificate is shown",
    "Correct the Secret, or the flag",
  ),
  "ocsp-failing": warning(
    "The OCSP responder of a certificate gives no answer that can be used; without one nothing is stapled",
    "Check that wick can reach the responder that the message names",
  ),
  "ocsp-impossible": warning(
    "The OCSP responder of a certificate cannot be asked, because its issuer's certificate is missing or wrong; nothing is stapled",
    "Put the issuer's certificate into tls.crt, right behind the first one",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Which certificate a host shows, and how handshakes for it go. */
export const handshakeProblems = {
  "certificate-for-others": error(
    "The certificate in the Secret of a tls entry is not for the host; another one is shown",
    "Get a certificate for the host, or name another Secret",
  ),
  "certificate-for-every-host": error(
    "A tls entry without hosts is meant for rules without host, which always show the default certificate",
    "List the hosts, or name the Secret in --default-ssl-certificate",
  ),
  "certificate-twice": warning(
    "An earlier tls entry of the host has a certificate with the same type of key; this one is not shown",
    "Remove one of the two entries",
  ),
  "host-without-certificate": error(
    "No tls entry lists the host, and no certificate of the Ingress is for it; the default certificate is shown",
    "List the host in a tls entry, with a Secret for it",
  ),
  "handshake-taken": warning(
    "An older Ingress of the host says otherwise about ssl-ciphers or ssl-prefer-server-ciphers; the older one decides",
    "Write the same in both",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Certificates that clients should show. */
export const clientProblems = {
  "no-client-authority": error(
    "The Secret of annotation auth-tls-secret has no ca.crt; clients are not asked for certificates, and everybody is let in",
    "Put the certificate of the clients' authority into the Secret, as ca.crt",
  ),
  "client-certificates-taken": warning(
    "Another Ingress of the host asks clients for certificates in another way; that one decides",
    "Write the same auth-tls annotations in both",
  ),
  "host-closed": error(
    "Another Ingress of the host asks clients for certificates in a way that cannot be used; requests get 403",
    "Correct the Ingress that the message names",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
