import type { TemplateHeader } from "../../model/http/headers.ts"
import type { Fixed } from "../../model/model.ts"

/** What the template of an error's location prints. */
interface ErrorPage {
  readonly location: string
  /** body and headers of the request go on */
  readonly hasRequest: boolean
  readonly hasBody: boolean
  readonly headers: readonly TemplateHeader[]
}

/**
 * Of every code for which some policy has an error page, in order, two locations: only their names tell nginx the code, and whether the request was
 * refused (`$ingress_error_page`).
 */
export function errorPages({ policies, http }: Pick<Fixed, "policies" | "http">): readonly ErrorPage[] {
  const codes = policies.flatMap(({ errorCodes }) => errorCodes ?? http.errors.codes)
  const sorted = [...new Set(codes)].sort((a, b) => a - b)
  return sorted.flatMap((code) => [pageOfFailure(code), pageOfRefusal(code)])
}

/** nginx throws away the body that is too large; the length of it must not be announced. */
const withoutBody: ReadonlySet<number> = new Set([413])

/** The backend had the request, and has failed. */
function pageOfFailure(code: number): ErrorPage {
  const hasBody = !withoutBody.has(code)
  const headers = { ...common, ...(!hasBody && { "Content-Length": "" }) }
  return { location: `@error-${code}`, hasRequest: true, hasBody, headers: allHeaders(headers, code) }
}

/** No backend had the request: whoever makes the page gets nothing of it but what chooses a page. */
function pageOfRefusal(code: number): ErrorPage {
  const headers = {
    ...common,
    "Content-Length": "",
    Accept: "$http_accept",
    "Accept-Encoding": "$http_accept_encoding",
    "Accept-Language": "$http_accept_language",
    "User-Agent": "$http_user_agent",
  }
  return {
    location: `@refused-${code}`,
    hasRequest: false,
    hasBody: false,
    headers: allHeaders(headers, code),
  }
}

const common = {
  Host: "$best_http_host",
  Connection: "",
  Upgrade: "",
  "X-Request-ID": "$req_id",
  "X-Forwarded-For": "$remote_addr",
  "X-Original-URI": "$request_uri",
  Proxy: "",
}

function allHeaders(headers: Readonly<Record<string, string>>, code: number): readonly TemplateHeader[] {
  return [...listOf(headers), ...errorHeaders(code)]
}

/** By which a backend that makes error pages knows what it is about. Source: ingress-nginx, "Custom errors". */
export function errorHeaders(code: number): readonly TemplateHeader[] {
  return listOf({
    "X-Code": String(code),
    "X-Format": "$http_accept",
    "X-Namespace": "$namespace",
    "X-Ingress-Name": "$ingress_name",
    "X-Service-Name": "$service_name",
    "X-Service-Port": "$service_port",
  })
}

function listOf(headers: Readonly<Record<string, string>>): readonly TemplateHeader[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}
