import { error, type ProblemEntry, warning } from "./entry.ts"

/** Secrets that TLS uses, and the certificates in them. */
export const certificateProblems = {
  "secret-missing": error(
    "The Secret of a tls entry does not exist; another certificate is shown",
    "Create the Secret, or correct secretName",
  ),
  "secret-refused": error(
    "A Secret lacks a key, or holds something that cannot be used; another certificate is shown, or requests get 503 or 403",
    "Correct the Secret as the message says",
  ),
  "secret-stale": warning(
    "The newest version of a Secret cannot be used; the previous version stays in use, but only until wick restarts",
    "Correct the Secret before wick restarts",
  ),
  "certificate-expiry": warning(
    "A certificate has expired, or expires within ten days; it stays in use",
    "Renew it",
  ),
  "certificate-revoked": error(
    "A certificate was revoked by its issuer; it is shown without an OCSP staple, and clients may refuse it",
    "Replace it with a new certificate",
  ),
  "chain-incomplete": warning(
    "A certificate of the chain is not in the Secret and could not be fetched; clients may refuse the chain",
    "Add the missing certificate to tls.crt",
  ),
  "default-certificate-unusable": error(
    "The Secret of --default-ssl-certificate cannot be used; a self-signed certificate is shown",
    "Correct the Secret, or the flag",
  ),
  "ocsp-failing": warning(
    "The OCSP responder of a certificate gives no usable answer; without one, nothing is stapled",
    "Check that wick can reach the responder that the message names",
  ),
  "ocsp-impossible": warning(
    "The OCSP responder of a certificate cannot be asked, because its issuer's certificate is missing or wrong; nothing is stapled",
    "Add the issuer's certificate to tls.crt, right after the first one",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Which certificate a host shows, and how handshakes for it go. */
export const handshakeProblems = {
  "certificate-for-others": error(
    "The certificate in the Secret of a tls entry is not valid for the host; another certificate is shown",
    "Get a certificate for the host, or name another Secret",
  ),
  "certificate-for-every-host": error(
    "A tls entry without hosts has a Secret, but rules without host always show the default certificate",
    "List the hosts, or name the Secret in --default-ssl-certificate",
  ),
  "certificate-twice": warning(
    "An earlier tls entry of the host has a certificate with the same type of key; this one is not shown",
    "Remove one of the two entries",
  ),
  "host-without-certificate": error(
    "No tls entry lists the host, and no certificate of the Ingress is valid for it; the default certificate is shown",
    "List the host in a tls entry, with a Secret for it",
  ),
  "handshake-taken": warning(
    "An older Ingress of the host has other values for ssl-ciphers or ssl-prefer-server-ciphers; those of the older Ingress apply",
    "Set the same values on both Ingresses",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Certificates that clients should show. */
export const clientProblems = {
  "no-client-authority": error(
    "The Secret of annotation auth-tls-secret has no ca.crt; clients are not asked for certificates, and everybody is let in",
    "Add the certificate of the CA that signs the client certificates to the Secret, as ca.crt",
  ),
  "client-certificates-taken": warning(
    "Another Ingress of the host has other settings for client certificates; those of the other Ingress apply",
    "Set the same auth-tls annotations on both Ingresses",
  ),
  "client-certificates-foreign": error(
    "An Ingress asks for client certificates on a host of another namespace, which asks for none or for others; its paths there get 503",
    "Ask for them in an Ingress of the namespace that the message names, or use a host of your own",
  ),
  "host-closed": error(
    "Another Ingress of the host has settings for client certificates that cannot be used; requests get 403",
    "Correct the Ingress that the message names",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
