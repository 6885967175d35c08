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
import { statusDifferences } from "./status.ts"
import { tracingDifferences } from "./tracing.ts"

/** A heading of docs/differences.md, with its rows. */
export interface Section {
  readonly title: string
  /** stands between the heading and the table (Markdown) */
  readonly note?: string
  readonly rows: Differences
}

/** Every difference from ingress-nginx, in the order of docs/differences.md, which is printed from here. */
export const sections: readonly Section[] = [
  { title: "Reloads and the control API", rows: controlDifferences },
  { title: "Ingresses and annotations", rows: ingressesDifferences },
  {
    title: "Admission webhook",
    note: "[admission.md](admission.md) says what is checked.",
    rows: admissionDifferences,
  },
  { title: "Hosts and paths", rows: hostsDifferences },
  { title: "Rewrites and redirects", rows: rewritesDifferences },
  { title: "Services and endpoints", rows: servicesDifferences },
  { title: "Load balancing", rows: balancingDifferences },
  { title: "Session affinity", rows: sessionsDifferences },
  { title: "Canaries", rows: canariesDifferences },
  { title: "Timeouts and retries", rows: retriesDifferences },
  { title: "Headers, mirrors and error pages", rows: headersDifferences },
  { title: "gRPC and FastCGI", rows: protocolsDifferences },
  { title: "TLS to backends", rows: backendTlsDifferences },
  {
    title: "Access control",
    rows: {
      ...authenticationDifferences,
      ...externalAuthenticationDifferences,
      ...limitsDifferences,
      ...addressListsDifferences,
      ...corsDifferences,
    },
  },
  { title: "ConfigMap and logs", rows: settingsDifferences },
  { title: "TLS settings", rows: handshakesDifferences },
  { title: "Certificates", rows: certificatesDifferences },
  { title: "OCSP and issuers", rows: ocspDifferences },
  { title: "Client certificates", rows: clientCertificatesDifferences },
  { title: "TLS passthrough", rows: passthroughDifferences },
  { title: "API server and rights", rows: apiServerDifferences },
  { title: "Leader election", rows: leaderElectionDifferences },
  { title: "Status of Ingresses", rows: statusDifferences },
  { title: "Metrics", rows: metricsDifferences },
  { title: "Tracing", rows: tracingDifferences },
  { title: "Events", rows: eventsDifferences },
]
