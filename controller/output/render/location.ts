import type { TemplateHeader } from "../../model/http/requests.ts"
import type { Location, Protocol } from "../../model/location.ts"
import type { Fixed } from "../../model/model.ts"
import { errorHeaders } from "./error-pages.ts"
import { requestHeaders } from "./http/request-headers.ts"
import { mirrorOf } from "./mirrors.ts"

// What the template of a named location prints, word for word. A field that does not concern it is null.

const upstream = "upstream_balancer"

interface Pass {
  /** the module that passes requests on: what its directives begin with */
  readonly by: "proxy" | "grpc" | "fastcgi"
  /** with nginx's variables */
  readonly target: string
}

const passes: Readonly<Record<Protocol | "http", Pass>> = {
  http: { by: "proxy", target: `http://${upstream}` },
  https: { by: "proxy", target: `https://${upstream}` },
  auto: { by: "proxy", target: `$scheme://${upstream}` },
  grpc: { by: "grpc", target: `grpc://${upstream}` },
  grpcs: { by: "grpc", target: `grpcs://${upstream}` },
  fastcgi: { by: "fastcgi", target: upstream },
}

export function locationFields(location: Location, { http }: Fixed): object {
  const { by, target } = passes[location.protocol ?? "http"]
  return {
    name: `@${location.name}`,
    by,
    target,
    headers: headersOf(location, by, requestHeaders(http)),
    httpVersion: location.proxyHttpVersion ?? null,
    mirror: mirrorOf(location),
    fastcgi: { ...fastcgiFields(location), own: ownParams(location, requestHeaders(http)) },
    errorCodes: http.errors.codes,
    text: location.text ?? [],
    intercepts: by === "proxy" && !http.errors.passesErrors,
  }
}

/** HTTP/2 knows no headers about its connection. */
function headersOf(
  { isFallback, isBare }: Location,
  by: Pass["by"],
  usual: readonly TemplateHeader[],
): readonly TemplateHeader[] {
  const fit = by === "grpc" ? usual.filter(({ name }) => !/^(upgrade|connection)$/i.test(name)) : usual
  if (isBare) return fit.filter(({ name }) => /^(?:host|connection)$/i.test(name))
  return isFallback ? [...fit, ...errorHeaders("503")] : fit
}

function fastcgiFields({ fastcgi }: Location) {
  return { index: fastcgi?.index ?? null, params: fastcgi?.params ?? [] }
}

/** Our headers as parameters, in the place of what the client says under their names; the connection's are for nobody. */
function ownParams({ fastcgi }: Location, usual: readonly TemplateHeader[]): readonly TemplateHeader[] {
  const given = new Set(fastcgi?.params.map(({ name }) => name))
  return usual
    .filter(({ name }) => !/^(host|upgrade|connection|proxy)$/i.test(name))
    .map(({ name, value }) => ({ name: `HTTP_${name.toUpperCase().replaceAll("-", "_")}`, value }))
    .filter(({ name }) => !given.has(name))
}
