import { isDeepStrictEqual } from "node:util"
import { annotationsPath } from "../model/field-path.ts"
import type { Http } from "../model/http.ts"
import type { Fixed, Model } from "../model/model.ts"
import type { Policy } from "../model/policy.ts"
import type { Problem } from "../model/problem.ts"
import { type Host, policiesOf, type Route } from "../model/route.ts"
import { assertSame, byContentName, isAmong } from "../support/content-name.ts"
import { leaveOutCulprits, type Verdict } from "./trial.ts"

/** A policy that nginx did not take, its words, and the settings beside which it did not. */
interface Refused {
  readonly policy: Policy
  readonly reason: string
  readonly http: Http
}

/**
 * The model without policies that nginx refuses, so that nobody else waits for them. A policy's name is a hash of its content: one that is
 * changed has another name and is tried anew, and so is every one when the settings around it are others.
 */
export class CheckedPolicies {
  readonly #refused = new Map<string, Refused>()

  /** @returns the model to try, where routes of refused policies answer 503, and a Problem for each Ingress that has such routes */
  leaveOut(model: Model): { readonly model: Model; readonly problems: readonly Problem[] } {
    if (this.#refused.size === 0) return { model, problems: [] }
    const { policies } = model.fixed
    const left = policies.filter((policy) => !this.#isRefused(policy))
    if (left.length === policies.length) return { model, problems: [] }
    const problems = new Map<string, Problem>()
    const hosts = model.live.hosts.map((host) => this.#withoutRefused(host, left, problems))
    const checked = { fixed: { ...model.fixed, policies: left }, live: { ...model.live, hosts } }
    return { model: checked, problems: [...problems.values()] }
  }

  /**
   * nginx refused a configuration with these: finds out whether that was about new ones among them.
   *
   * @param inForce policies that nginx runs with
   * @param good    settings to try them with where those of `wanted` are refused themselves
   * @returns whether it was; `leaveOut` then leaves them out
   */
  async refused(
    wanted: Fixed,
    inForce: readonly Policy[],
    good: Http,
    check: (fixed: Fixed) => Promise<Verdict>,
  ): Promise<boolean> {
    const known = byContentName(inForce)
    const old = wanted.policies.filter((policy) => isAmong(known, policy.name, policy))
    const added = wanted.policies.filter(({ name }) => !known.has(name))
    const http = await usable([wanted.http, good], (candidate) =>
      check({ ...wanted, http: candidate, policies: old }),
    )
    if (http === undefined) return false
    const culprits = await leaveOutCulprits(old, added, (policies) => check({ ...wanted, http, policies }))
    for (const [policy, reason] of culprits) this.#refused.set(policy.name, { policy, reason, http })
    return culprits.size > 0
  }

  /** nginx runs with these settings. @returns whether refused policies are worth another try */
  taken(http: Http): boolean {
    const others = [...this.#refused].filter(([, refused]) => !isDeepStrictEqual(refused.http, http))
    for (const [name] of others) this.#refused.delete(name)
    return others.length > 0
  }

  #isRefused(policy: Policy): boolean {
    const refused = this.#refused.get(policy.name)
    if (refused !== undefined) assertSame(policy.name, refused.policy, policy)
    return refused !== undefined
  }

  #withoutRefused(host: Host, left: readonly Policy[], problems: Map<string, Problem>): Host {
    if (!host.routes.flatMap(policiesOf).some((policy) => this.#refused.has(policy))) return host
    const routes = host.routes.map((route) => {
      const [refused] = policiesOf(route).flatMap((policy) => this.#refused.get(policy) ?? [])
      if (refused === undefined) return route
      problems.set(`${route.namespace}/${route.ingressName}`, problemOf(route, refused.reason))
      return withoutPolicy(route, left)
    })
    return { ...host, routes }
  }
}

/** A redirect would be the Ingress's own, and what it asks for is not in force. */
function withoutPolicy({ redirect, httpsRedirect, access, ...route }: Route, left: readonly Policy[]): Route {
  const policy = left.find(({ isQuestion }) => isQuestion === undefined)
  return { ...route, policy: policy?.name ?? route.policy, status: 503 }
}

function problemOf({ namespace, ingressName }: Route, reason: string): Problem {
  return {
    object: { kind: "Ingress", namespace, name: ingressName },
    field: annotationsPath,
    code: "policy-refused",
    message: `Cannot do what the annotations ask for, requests get 503: ${reason}`,
  }
}

async function usable(
  candidates: readonly Http[],
  check: (http: Http) => Promise<Verdict>,
): Promise<Http | undefined> {
  for (const http of candidates) if ((await check(http)) === "taken") return http
  return undefined
}
