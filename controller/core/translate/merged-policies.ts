import type { Policy } from "../../model/policy.ts"
import { isSameFile, type SecretFile } from "../../model/secret-file.ts"
import { byContentName } from "../../support/content-name.ts"
import { compareText } from "../../support/order.ts"
import type { MergedHost } from "./hosts/merged-host.ts"
import { defaultPolicy, policyOf } from "./parsed/route-policies.ts"

const byName = (a: { readonly name: string }, b: { readonly name: string }) => compareText(a.name, b.name)

/** Of hosts whose TLS is passed through. */
const overTlsPolicy = policyOf({ protocol: "https" })

/**
 * The policies of these hosts, each once, in canonical order, the default one among them.
 *
 * @param passesTls then that of hosts passed through is there too, so that the first of them needs no reload either
 */
export function distinctPolicies(hosts: readonly MergedHost[], passesTls: boolean): readonly Policy[] {
  const used = new Set(passesTls ? [defaultPolicy, overTlsPolicy] : [defaultPolicy])
  const use = (policy: Policy) => policy === defaultPolicy || used.add(policy) // nearly all are
  for (const { routes } of hosts) {
    for (const { backend, proxying } of routes) {
      const { own, onDefault, onFallback } = proxying.policies
      use(backend === undefined ? onDefault : own)
      if (backend !== undefined && onFallback !== undefined) use(onFallback)
    }
  }
  return [...byContentName(used).values()].sort(byName)
}

/** The files that the policies of these hosts name. */
export function* filesOfHosts(hosts: readonly MergedHost[]): Iterable<SecretFile> {
  for (const { routes } of hosts) {
    for (const { proxying } of routes) if (proxying.files.length > 0) yield* proxying.files // hardly ever
  }
}

/** Each file once, in canonical order. */
export function distinctFiles(files: Iterable<SecretFile>): readonly SecretFile[] {
  return [...byContentName(files, isSameFile).values()].sort(byName)
}
