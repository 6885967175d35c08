import { canaryAnnotations } from "./canary.ts"
import { clientCertificateAnnotations } from "./client-certificates.ts"
import { handshakeAnnotations } from "./handshake.ts"
import { routingAnnotations } from "./routing.ts"
import { snippetAnnotations } from "./snippets.ts"

/** Names without prefix of annotations that have no effect on a route of the Gateway API. */
export const idleOnRoutes: ReadonlySet<string> = new Set([
  ...[routingAnnotations, canaryAnnotations, handshakeAnnotations, clientCertificateAnnotations].flatMap(
    (family) => Object.values<{ readonly name: string }>(family).map(({ name }) => name),
  ),
  snippetAnnotations.ofHosts.name,
])
