import type { Redirect } from "../../model/route.ts"

/** What becomes of requests for one path before they are passed on: redirects, and the path that the backend sees. Called so in the Gateway API. */
export interface RouteFilters {
  /** the path is a pattern, and so are all others of its host */
  readonly isPattern: boolean
  readonly redirect?: Redirect
  readonly httpsRedirect?: HttpsRedirect
  /** of the host's `/` */
  readonly appRoot?: Redirect
  readonly rewrite?: Rewrite
  readonly overrides?: { readonly absoluteRedirect?: false; readonly portInRedirect?: true }
}

/** Of requests that came by plain HTTP. */
export interface HttpsRedirect {
  readonly redirect: Redirect
  /** only where a certificate is configured for the host */
  readonly needsCertificate: boolean
}

/** What takes the place of the path that was asked for. */
export interface Rewrite {
  /** template */
  readonly to: string
  readonly isLogged: boolean
  /** it is about the path as the client wrote it */
  readonly isRaw: boolean
  /** template */
  readonly forwardedPrefix?: string
}

/** Those of a path about which nothing is said: one object for all of them. */
export const noFilters: RouteFilters = { isPattern: false }
