/** What compiling says of a module of a balancing policy. Reasons fit after a colon. */
export type Compilation =
  | { readonly kind: "compiled"; readonly digest: string; readonly needs: number }
  | { readonly kind: "refused"; readonly reason: string }
  /** nothing is said about the module: the compiler could not run, or did not come to an end */
  | { readonly kind: "failed"; readonly reason: string }

/** Compiles balancing policies for one data plane, and keeps them there. @template State what is kept for the next start */
export interface PolicyCompiler<State> {
  /** digests of those that were compiled before and are still there */
  readonly compiled: ReadonlySet<string>
  /** what the controller before kept; absent: nothing that counts */
  readonly state: State | undefined
  /** Never rejects. A backend may name the digest when it comes out as compiled. */
  compile(digest: string, bytes: Uint8Array): Promise<Compilation>
  /** Others are of no use any more. */
  keepOnly(digests: ReadonlySet<string>): void
  /** For the next start, and for those who ask what there is. @returns when it is kept, or was told to have failed */
  remember(state: State): Promise<void>
}
