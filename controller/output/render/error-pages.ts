import type { TemplateHeader } from "../../model/http/headers.ts"
import type { Fixed } from "../../model/model.ts"

/** What the template of an error's location prints. */
interface ErrorPage {
  readonly location: string
  /** the body of the request goes on */
  readonly hasBody: boolean
  readonly headers: readonly TemplateHeader[]
}

/** One location for every code for which some policy has an error page, in order: only its name tells nginx the code. */
export function errorPages({ policies, http }: Fixed): readonly ErrorPage[] {
  const codes = policies.flatMap(({ errorCodes }) => errorCodes ?? http.errors.codes)
  return [...new Set(codes)].sort((a, b) => a - b).map(errorPage)
}

/** nginx throws away the body that is too large; the length of it must not be announced. */
const withoutBody: ReadonlySet<number> = new Set([413])

function errorPage(code: number): ErrorPage {
  const hasBody = !withoutBody.has(code)
  const headers = {
    Host: "$best_http_host",
    Connection: "",
    "X-Request-ID": "$req_id",
    "X-Forwarded-For": "$remote_addr",
    "X-Original-URI": "$request_uri",
    Proxy: "",
    ...(!hasBody && { "Content-Length": "" }),
  }
  return { location: `@error-${code}`, hasBody, headers: [...listOf(headers), ...errorHeaders(code)] }
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
