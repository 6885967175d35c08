// An ingress whose routes may ask an authentication service, and a backend that says what it was asked.
import { Echo } from "../../../../harness/echo.ts"
import { type Ingress, type IngressOptions, startIngress } from "../../../../harness/ingress/ingress.ts"
import type { External, Route } from "../../../../harness/ingress/records.ts"

/** Inside the locations of services, as nginx/templates has them, but for the balancer. */
const question = `
  proxy_pass_request_body off; proxy_set_header Host $http_host; proxy_set_header Connection "";
  proxy_http_version 1.1; proxy_buffering on; proxy_intercept_errors off;
  proxy_ignore_headers X-Accel-Redirect X-Accel-Buffering X-Accel-Limit-Rate X-Accel-Charset;
  proxy_ssl_server_name on; proxy_ssl_name $http_host;`

export class AuthSite implements AsyncDisposable {
  readonly ingress: Ingress
  readonly service: Echo
  readonly backend: Echo

  constructor(ingress: Ingress, service: Echo, backend: Echo) {
    this.ingress = ingress
    this.service = service
    this.backend = backend
  }

  /** Has everything of the host guarded. */
  guard(host: string, external: External = {}, route: Route = {}): Promise<void> {
    return this.ingress.route(host, [{ ...route, access: { ...route.access, external } }])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ingress[Symbol.asyncDispose]()
    await this.service[Symbol.asyncDispose]()
    await this.backend[Symbol.asyncDispose]()
  }
}

export interface AuthSiteOptions extends Omit<IngressOptions, "http"> {
  readonly http?: string
  /** further locations, which lead to the backend */
  readonly backendLocations?: (address: string) => string
}

/** Locations stand beside `@plain`, which leads to the backend. */
export async function startAuthSite(options: AuthSiteOptions = {}): Promise<AuthSite> {
  const service = await new Echo().start()
  const backend = await new Echo().start()
  service.answer = () => ({ body: "welcome" })
  const locations = `
    location @plain { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://127.0.0.1:${backend.port}; }
    location @auth-http { ${question} proxy_pass http://service; }
    location @auth-led { proxy_pass http://service; }
    location @auth-dead { ${question} proxy_pass http://127.0.0.1:1; }
    ${options.backendLocations?.(`http://127.0.0.1:${backend.port}`) ?? ""} ${options.locations ?? ""}`
  const http = `upstream service { server 127.0.0.1:${service.port}; keepalive 4; } ${options.http ?? ""}`
  return new AuthSite(await startIngress({ ...options, locations, http }), service, backend)
}
