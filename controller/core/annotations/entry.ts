import type { Risk } from "../options/keys/permissions.ts"
import type { Usage } from "../options/usage.ts"
import type { AnnotationParser, Need } from "./parse.ts"

// What an entry of the families says about an annotation: nothing else in the code knows it.

/** The headings of docs/reference/annotations.md, in order. */
export const sections = [
  "Routing",
  "Backends",
  "Proxying",
  "Errors",
  "Mirroring",
  "Balancing",
  "Sessions",
  "Canaries",
  "TLS to clients",
  "Client certificates",
  "Access control",
  "Web application firewall",
  "Snippets",
  "CORS",
  "Limits",
  "Tracing",
] as const

export type Section = (typeof sections)[number]

/** An annotation. */
export interface Entry<T = unknown> extends Usage {
  /** without the prefix and the slash */
  readonly name: string
  /** deprecated spellings; the name itself wins where both are given */
  readonly aliases?: readonly string[]
  /** what it acts on: every path of its Ingress, the Ingress as a whole, or the whole server of its hosts */
  readonly scope: "location" | "ingress" | "server"
  /** how much harm a tenant can do with it; compared with the ConfigMap's annotations-risk-level */
  readonly risk: Risk
  readonly section: Section
  readonly parse: AnnotationParser<T>
  /** what applies without it (Markdown) */
  readonly default: string
  /**
   * it has no effect, and the description says why: what it is about does not arise, or what it asks for is not done, and a Problem says what to
   * write in its place
   */
  readonly idle?: "unneeded" | "refused"
  /** stands under our own prefix (table.ts), not under that of `--annotations-prefix` */
  readonly isOwn?: true
  /** the value may go over several lines, whose ends are as blanks */
  readonly takesLines?: true
  /** the value may go over several lines and have tabs, which stay as they are: it never becomes text of anybody's configuration */
  readonly keepsLines?: true
  /** the annotation without which this one has no effect */
  readonly needs?: Need["name"]
  /** the value names an object of this kind: a name of the Ingress's namespace, or `namespace/name` */
  readonly refersTo?: "Service" | "ConfigMap" | "Secret"
  /**
   * what becomes of a value that is refused, where the default would open what it should close: the field is `unusable` then. A phrase that
   * fits after a semicolon; absent: the default applies
   */
  readonly whenRefused?: string
  /** an empty value is refused, too: elsewhere it counts as absent, as for ingress-nginx */
  readonly refusesEmpty?: true
  /** version of wick that first honoured it */
  readonly since: string
}

/** Entries by the field of `AnnotationValues` that takes the parsed value. */
export type Family = Readonly<Record<string, Entry>>

/** Entries of which each fills a field of `T`. */
export type FamilyFor<T> = { readonly [Field in keyof T]?: Entry<NonNullable<T[Field]>> }

/** In place of a value that was refused and whose absence would ask for less than was meant (`whenRefused` of its entry). */
export const unusable = Symbol("unusable")
type Unusable = typeof unusable

/** What an Ingress says with the annotations of a family. */
export type ValuesOf<F extends Family> = { readonly [Field in keyof F]?: Value<F[Field]> }

type Value<E> = E extends Entry<infer T> ? (E extends { whenRefused: string } ? T | Unusable : T) : never

/** In place of a default that the ConfigMap has. */
export const fromConfigMap = "as in the ConfigMap"
