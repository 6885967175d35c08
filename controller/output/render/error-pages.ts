import type { TemplateHeader } from "../../model/http/requests.ts"

/** What the template of an error's location prints. */
interface ErrorPage {
  readonly location: string
  /** body and headers of the request go on */
  readonly hasRequest: boolean
  readonly hasBody: boolean
  readonly headers: readonly TemplateHeader[]
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

/** The places where errors get their page, whatever their code: as the module knows them (docs/ingress-module.md). */
export const errorPages: readonly ErrorPage[] = [
  pageOfFailure("@error", true),
  // nginx throws away the body that is too large; the length of it must not be announced.
  pageOfFailure("@error-without-body", false),
  pageOfRefusal("@refused"),
]

/** The backend had the request, and has failed. */
function pageOfFailure(location: string, hasBody: boolean): ErrorPage {
  const headers = { ...common, ...(!hasBody && { "Content-Length": "" }) }
  return { location, hasRequest: true, hasBody, headers: allHeaders(headers) }
}

/** No backend had the request: the maker of the page gets nothing of it but what chooses a page. */
function pageOfRefusal(location: string): ErrorPage {
  const headers = {
    ...common,
    "Content-Length": "",
    Accept: "$http_accept",
    "Accept-Encoding": "$http_accept_encoding",
    "Accept-Language": "$http_accept_language",
    "User-Agent": "$http_user_agent",
  }
  return { location, hasRequest: false, hasBody: false, headers: allHeaders(headers) }
}

function allHeaders(headers: Readonly<Record<string, string>>): readonly TemplateHeader[] {
  return [...listOf(headers), ...errorHeaders("$ingress_error_code")]
}

/** By which a backend that makes error pages knows what it is about. Source: ingress-nginx, "Custom errors". @param code with nginx's variables */
export function errorHeaders(code: string): readonly TemplateHeader[] {
  return listOf({
    "X-Code": code,
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
