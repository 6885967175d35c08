import { hostListedTwice, tlsListsOtherNames } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import { either, problem, problemText } from "./matching.ts"

/** Differences under the heading "Certificates". */
export const certificatesDifferences = {
  "where-certificates-how-they-change": {
    what: "Where certificates are, and how they change",
    before: "In files and in Lua's memory; Lua sets them in each handshake",
    now: "In nginx's shared memory, posted. In force from the next handshake on, in every worker",
    concerns: operation,
  },
  "self-signed-certificate-hosts-without-one": {
    what: "Self-signed certificate for hosts without one",
    before: "Made at each start",
    now: "Made once for each runtime directory, and again when it expires within 30 days",
    why: "Clients see the same one after a restart",
    concerns: operation,
  },
  "tls-entries-same-host": {
    what: "Two tls entries of the Ingress list the same host",
    before: "The first is used. If it cannot be used, the default certificate is shown",
    now: "With keys of different types (RSA, ECDSA) both are used, as the client supports. Of the same type, the first usable one is shown, with a Problem",
    concerns: either(problem("certificate-twice"), hostListedTwice),
  },
  "tls-entry-of-alias": {
    what: "A tls entry lists an alias, or the redirected name of `from-to-www-redirect`",
    before: "The entry is ignored for that name",
    now: "The certificate of its Secret is shown for that name",
    why: "People list all their names there",
    concerns: tlsListsOtherNames,
  },
  "tls-entry-secret-without-hosts-rules": {
    what: "A tls entry with a Secret and without hosts, for rules without host",
    before: "The default certificate, silently",
    now: "The default certificate, with a Problem",
    concerns: operation,
  },
  "new-ingress-changed-secretname": {
    what: "A new Ingress, or a changed `secretName`",
    before: "The default certificate is shown until the Secret has been read",
    now: "The Secret is read first, if it exists",
    why: "No handshake with the wrong certificate",
    concerns: operation,
  },
  "tls-crt-whose-first-block-not": {
    what: "`tls.crt` whose first block is not the leaf, with blocks that are not certificates, or with parameters before the key",
    before: "Refused",
    now: "Accepted. The leaf is moved to the front",
    concerns: everyRequest,
  },
  "certificate-chain-too-long": {
    what: "A Secret has a chain of more than 16 certificates or 100 KiB, or a `ca.crt` of more than 1024 certificates or 640 KiB",
    before: "nginx tries to use it",
    now: "The Secret is refused, with a Problem; its last good version stays in use",
    why: "The handshake would fail",
    concerns: problemText("secret-refused", /more than|at most/),
  },
  "certificate-key-weak": {
    what: "A Secret has a key that today's clients reject: RSA below 2048 bits, DSA, curves other than P-256, P-384 and P-521; or signatures with SHA-1 or MD5",
    before: "nginx tries to use it",
    now: "The Secret is refused, with a Problem; its last good version stays in use",
    why: "The handshake would fail",
    concerns: problemText("secret-refused", /bits|curve|DSA|SHA|MD5/i),
  },
} satisfies Differences
