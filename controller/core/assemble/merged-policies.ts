import { isDeepStrictEqual } from "node:util"
import type { Policy } from "../../model/policy.ts"
import { isSameFile, type SecretFile } from "../../model/secret-file.ts"
import { byContentName } from "../../support/content-name.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import { compareText } from "../../support/order.ts"
import { defaultPolicy, policyOf } from "../declared/policies.ts"
import type { Rule } from "../declared/rule.ts"
import type { RulesChange } from "./rules-change.ts"

const nameOf = ({ name }: { readonly name: string }) => name

/** Of hosts whose TLS is passed through. */
const overTlsPolicy = policyOf({ protocol: "https" })

/** The policies that rules take, and the files that those name: each once, in canonical order. Kept from pass to pass. */
export class MergedPolicies {
  readonly #policies = new CountedList<Policy>(nameOf, isDeepStrictEqual)
  readonly #files = new CountedList<SecretFile>(nameOf, isSameFile)

  /** @param passesTls then the policy of hosts passed through is always there, so that the first of them needs no reload either */
  constructor(passesTls: boolean) {
    this.#policies.add(defaultPolicy)
    if (passesTls) this.#policies.add(overTlsPolicy)
  }

  followRules({ added, removed }: RulesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const rule of added) {
      for (const policy of policiesOf(rule)) this.#policies.add(policy)
      for (const file of filesOf(rule)) this.#files.add(file)
    }
    for (const rule of removed) {
      for (const policy of policiesOf(rule)) this.#policies.remove(policy)
      for (const file of filesOf(rule)) this.#files.remove(file)
    }
  }

  get policies(): readonly Policy[] {
    return this.#policies.items()
  }

  get files(): readonly SecretFile[] {
    return this.#files.items()
  }
}

function policiesOf({ backend, split, proxying, access }: Rule): readonly Policy[] {
  const { own, onDefault, onFallback } = proxying.policies
  const asked = access.external?.tls?.policy
  const all = backend === undefined && split === undefined ? [onDefault, asked] : [own, onFallback, asked]
  return all.filter((policy) => policy !== undefined)
}

function filesOf({ proxying, access }: Rule): readonly SecretFile[] {
  return [...proxying.files, ...(access.external?.tls?.files ?? [])]
}

/** Each file once, in canonical order. */
export function distinctFiles(files: Iterable<SecretFile>): readonly SecretFile[] {
  return [...byContentName(files, isSameFile).values()].sort((a, b) => compareText(a.name, b.name))
}
