import type { TypedDirective } from "../typed-directive.ts"

/** What the operator adds to nginx.conf, each behind what is there already. */
export interface Snippets {
  /** of the process */
  readonly main: readonly TypedDirective[]
  /** around all server blocks, those of the controller included: what no server block can say */
  readonly http: readonly TypedDirective[]
  /** of every server block for traffic */
  readonly servers: readonly TypedDirective[]
  readonly stream: readonly TypedDirective[]
}
