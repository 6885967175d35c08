import type { Fixed } from "../../model/model.ts"
import { tlsFields } from "./location.ts"

/** What the template of a location in which authentication services are asked prints. */
interface AuthService {
  readonly location: string
  readonly target: string
  readonly isLogged: boolean
  /** null: whoever answers is believed */
  readonly tls: object | null
}

/** Two are always there, so that a route that asks one is a post; those that are verified are in `Fixed.locations`. Names: docs/wire.md, EXTERNAL_AUTH. */
export function authServices({ http, locations }: Fixed, secrets: string): readonly AuthService[] {
  const isLogged = http.logs.logsAuthRequests
  const plain = ["http", "https"].map((scheme) => ({
    location: `@auth-${scheme}`,
    target: `${scheme}://upstream_balancer`,
    isLogged,
    tls: null,
  }))
  const verified = locations.filter(({ isQuestion }) => isQuestion)
  return [
    ...plain,
    ...verified.map(({ name, tls }) => ({
      location: `@${name}`,
      target: "https://upstream_balancer",
      isLogged,
      tls: tls ? tlsFields(tls, secrets) : null,
    })),
  ]
}
