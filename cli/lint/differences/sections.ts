import { addressListsDifferences } from "./address-lists.ts"
import { admissionDifferences } from "./admission.ts"
import { apiServerDifferences } from "./api-server.ts"
import { authenticationDifferences } from "./authentication.ts"
import { backendTlsDifferences } from "./backend-tls.ts"
import { balancingDifferences } from "./balancing.ts"
import { canariesDifferences } from "./canaries.ts"
import { certificatesDifferences } from "./certificates.ts"
import { clientCertificatesDifferences } from "./client-certificates.ts"
import { controlDifferences } from "./control.ts"
import { corsDifferences } from "./cors.ts"
import type { Differences } from "./difference.ts"
import { eventsDifferences } from "./events.ts"
import { externalAuthenticationDifferences } from "./external-authentication.ts"
import { handshakesDifferences } from "./handshakes.ts"
import { headersDifferences } from "./headers.ts"
import { hostsDifferences } from "./hosts.ts"
import { ingressesDifferences } from "./ingresses.ts"
import { leaderElectionDifferences } from "./leader-election.ts"
import { limitsDifferences } from "./limits.ts"
import { metricsDifferences } from "./metrics.ts"
import { ocspDifferences } from "./ocsp.ts"
import { passthroughDifferences } from "./passthrough.ts"
import { protocolsDifferences } from "./protocols.ts"
import { retriesDifferences } from "./retries.ts"
import { rewritesDifferences } from "./rewrites.ts"
import { servicesDifferences } from "./services.ts"
import { sessionsDifferences } from "./sessions.ts"
import { settingsDifferences } from "./settings.ts"
import { snippetsDifferences } from "./snippets.ts"
import { statusDifferences } from "./status.ts"
import { streamsDifferences } from "./streams.ts"
import { tracingDifferences } from "./tracing.ts"

/** The pages under docs/differences, by what a person looks up there. */
export const pages = {
  routing: "hosts, paths, rewrites, redirects",
  backends: "Services, balancing, sessions, canaries, retries, gRPC, TLS to backends, headers, snippets",
  access: "passwords, authentication services, limits, lists of addresses, CORS, certificates of clients",
  tls: "versions and ciphers, certificates, OCSP, passthrough",
  running: "reloads, the admission webhook, the API server, replicas, the status of Ingresses, Events",
  observing: "the ConfigMap, logs, metrics, tracing",
} as const

export type Page = keyof typeof pages

/** A heading of a page under docs/differences, with its rows. */
export interface Section {
  readonly title: string
  readonly page: Page
  /** stands between the heading and the table (Markdown) */
  readonly note?: string
  readonly rows: Differences
}

/** Every difference from ingress-nginx, in the order of docs/differences, which is printed from here. */
export const sections: readonly Section[] = [
  { title: "Reloads and the control API", page: "running", rows: controlDifferences },
  { title: "Ingresses and annotations", page: "routing", rows: ingressesDifferences },
  {
    title: "Admission webhook",
    page: "running",
    note: "[admission.md](admission.md) says what is checked.",
    rows: admissionDifferences,
  },
  { title: "Hosts and paths", page: "routing", rows: hostsDifferences },
  { title: "Rewrites and redirects", page: "routing", rows: rewritesDifferences },
  { title: "Services and endpoints", page: "backends", rows: servicesDifferences },
  { title: "Load balancing", page: "backends", rows: balancingDifferences },
  { title: "Session affinity", page: "backends", rows: sessionsDifferences },
  { title: "Canaries", page: "backends", rows: canariesDifferences },
  { title: "Timeouts and retries", page: "backends", rows: retriesDifferences },
  { title: "Headers, mirrors and error pages", page: "backends", rows: headersDifferences },
  {
    title: "Snippets",
    page: "backends",
    note: "[guides/snippets.md](guides/snippets.md) says what they do. What of them may keep requests out stands under access control.",
    rows: snippetsDifferences,
  },
  { title: "gRPC and FastCGI", page: "backends", rows: protocolsDifferences },
  { title: "TLS to backends", page: "backends", rows: backendTlsDifferences },
  {
    title: "Access control",
    page: "access",
    rows: {
      ...authenticationDifferences,
      ...externalAuthenticationDifferences,
      ...limitsDifferences,
      ...addressListsDifferences,
      ...corsDifferences,
    },
  },
  { title: "ConfigMap and logs", page: "observing", rows: settingsDifferences },
  { title: "TLS settings", page: "tls", rows: handshakesDifferences },
  { title: "Certificates", page: "tls", rows: certificatesDifferences },
  { title: "OCSP and issuers", page: "tls", rows: ocspDifferences },
  { title: "Client certificates", page: "access", rows: clientCertificatesDifferences },
  { title: "TLS passthrough", page: "tls", rows: passthroughDifferences },
  { title: "TCP and UDP services", page: "backends", rows: streamsDifferences },
  { title: "API server and rights", page: "running", rows: apiServerDifferences },
  { title: "Leader election", page: "running", rows: leaderElectionDifferences },
  { title: "Status of Ingresses", page: "running", rows: statusDifferences },
  { title: "Metrics", page: "observing", rows: metricsDifferences },
  { title: "Tracing", page: "observing", rows: tracingDifferences },
  { title: "Events", page: "running", rows: eventsDifferences },
]
