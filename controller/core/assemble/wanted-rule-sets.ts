import type { WantedRuleSet } from "../../model/rule-set.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import type { DeclaredHost } from "../declared/host.ts"
import { rulesChange } from "./rules-change.ts"

/** Finds the rule sets that have to be checked, pass by pass: each once for each object that has it. */
export class WantedRuleSets {
  readonly #wanted = new CountedList<WantedRuleSet>(
    ({ owner, set }) => `${owner} ${set.digest}`,
    (a, b) => a.set.bytes === b.set.bytes,
  )
  #hosts: readonly DeclaredHost[] = []

  /** @returns the same list while nothing changes */
  of(hosts: readonly DeclaredHost[]): readonly WantedRuleSet[] {
    if (hosts === this.#hosts) return this.#wanted.items()
    const { added, removed } = rulesChange(this.#hosts, hosts)
    this.#hosts = hosts
    for (const { proxying } of added) if (proxying.ruleSet) this.#wanted.add(proxying.ruleSet)
    for (const { proxying } of removed) if (proxying.ruleSet) this.#wanted.remove(proxying.ruleSet)
    return this.#wanted.items()
  }
}
