import { canaryAnnotations } from "./canary.ts"
import { clientCertificateAnnotations } from "./client-certificates.ts"
import { handshakeAnnotations } from "./handshake.ts"
import { routingAnnotations } from "./routing.ts"
import { snippetAnnotations } from "./snippets.ts"

/** What the Gateway API has no words for: groups in the path that backends get, and redirects as nginx writes them, to HTTPS too. */
const ofPaths: ReadonlySet<string> = new Set(
  [
    ...[routingAnnotations.rewriteTarget, routingAnnotations.rewritesRaw, routingAnnotations.logsRewrite],
    ...[routingAnnotations.forwardedPrefix, routingAnnotations.forceSslRedirect],
    ...[routingAnnotations.permanentRedirect, routingAnnotations.permanentRedirectCode],
    ...[routingAnnotations.temporalRedirect, routingAnnotations.temporalRedirectCode],
    ...[routingAnnotations.relativeRedirects, routingAnnotations.usePortInRedirects],
    routingAnnotations.preserveTrailingSlash,
  ].map(({ name }) => name),
)

/** Names without prefix of annotations that have no effect on a route of the Gateway API. */
export const idleOnRoutes: ReadonlySet<string> = new Set([
  ...[routingAnnotations, canaryAnnotations, handshakeAnnotations, clientCertificateAnnotations].flatMap(
    (family) =>
      Object.values<{ readonly name: string }>(family).flatMap(({ name }) =>
        ofPaths.has(name) ? [] : [name],
      ),
  ),
  snippetAnnotations.ofHosts.name,
])
