import type { PolicyModule } from "../../input/policies/module.ts"
import { contentName } from "../../support/content-name.ts"
import { keyId } from "./signature.ts"

/** What came of a module that was looked at. */
export type Verdict =
  | { readonly kind: "compiled"; readonly needs: number }
  /** of no use to anybody, however often it is tried. The reason fits after a colon */
  | { readonly kind: "refused"; readonly reason: string }

/** A module, and under which conditions it was looked at: a verdict holds for exactly that. */
export interface Candidate {
  readonly id: string
  readonly module: PolicyModule
  /** PEM; it has to be signed by this key */
  readonly publicKey?: string
}

export function candidateOf(module: PolicyModule, publicKey: string | undefined): Candidate {
  const { digest, signature = "" } = module
  if (publicKey === undefined) return { id: digest, module }
  return { id: `${digest}:${keyId(publicKey)}:${contentName(signature)}`, module, publicKey }
}

/** The digest of the module that an id is about. */
export function digestIn(id: string): string {
  return id.slice(0, 64)
}

/** Whether what was found under an id was found with this key, or without one. */
export function isUnder(id: string, publicKey: string | undefined): boolean {
  const [, key] = id.split(":")
  return key === (publicKey && keyId(publicKey))
}
