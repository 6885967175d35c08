import type { Http } from "../../model/http.ts"

/** What the template of a location in which authentication services are asked prints. */
interface AuthService {
  readonly location: string
  readonly target: string
  readonly isLogged: boolean
}

/** They are always there, so that a route that asks one is a post. Names: docs/wire.md, EXTERNAL_AUTH. */
export function authServices({ logs }: Http): readonly AuthService[] {
  return ["http", "https"].map((scheme) => ({
    location: `@auth-${scheme}`,
    target: `${scheme}://upstream_balancer`,
    isLogged: logs.logsAuthRequests,
  }))
}
