/** Who may request a path. */
export interface RouteAccess {
  /** nobody: every request gets 503 */
  readonly isClosed: boolean
}

/** Of a path that everybody may request: one object for all of them. */
export const openAccess: RouteAccess = { isClosed: false }
export const closedAccess: RouteAccess = { isClosed: true }
