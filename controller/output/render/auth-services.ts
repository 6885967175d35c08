import { join } from "node:path"
import type { ServiceTls } from "../../model/location.ts"
import type { Fixed } from "../../model/model.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"

/** What the template of a location in which authentication services are asked prints. */
interface AuthService {
  readonly location: string
  readonly target: string
  readonly isLogged: boolean
  /** null: the service's certificate is not verified */
  readonly tls: object | null
  /** what else stands there */
  readonly text: readonly TypedDirective[]
}

/** Two are always there, so that a route that asks one is a post; those that are verified, or of which more is said, are in `Fixed.locations`. Names: docs/wire.md, EXTERNAL_AUTH. */
export function authServices({ http, locations }: Fixed, secrets: string): readonly AuthService[] {
  const isLogged = http.logs.logsAuthRequests
  const plain = ["http", "https"].map((scheme) => ({
    location: `@auth-${scheme}`,
    target: `${scheme}://upstream_balancer`,
    isLogged,
    tls: null,
    text: [],
  }))
  const others = locations.filter(({ isQuestion }) => isQuestion)
  return [
    ...plain,
    ...others.map(({ name, protocol, tls, text = [] }) => ({
      location: `@${name}`,
      target: `${protocol === "https" ? "https" : "http"}://upstream_balancer`,
      isLogged,
      tls: tls ? tlsFields(tls, secrets) : null,
      text,
    })),
  ]
}

/** @param secrets folder of `Fixed.files` */
function tlsFields(tls: ServiceTls, secrets: string): object {
  const { certificate, trusted } = tls
  return {
    ...tls,
    certificate: certificate === undefined ? null : join(secrets, certificate),
    trusted: join(secrets, trusted),
  }
}
