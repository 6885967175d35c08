import type { Fixed, Live, Model } from "../model/model.ts"
import type { Policy } from "../model/policy.ts"
import type { Problem } from "../model/problem.ts"
import type { LiveChange } from "../plan/plan.ts"
import type { Conf } from "../render/render.ts"
import type { Control } from "./control.ts"
import type { Applied, Driver } from "./driver.ts"
import { type Layout, readFixed } from "./files.ts"
import { problemsOf } from "./refusal.ts"

export interface DeliveryOptions {
  readonly driver: Pick<Driver, "state" | "masterPid" | "adopt" | "apply">
  readonly control: Pick<Control, "isInStep" | "forget" | "apply" | "removeDue">
  readonly layout: Layout
  readonly render: (fixed: Fixed) => Conf
}

const nothing: Live = { backends: [], hosts: [] }

/** Brings models into nginx, and knows what is in force there: the fixed half by the driver, the live half by the control server. */
export class Delivery {
  readonly #options: DeliveryOptions
  /** what the nginx with this pid serves */
  #inForce: { readonly pid: number; readonly model: Model } | undefined
  /** policies of a configuration that was found running but is not ours to print any more */
  #foundPolicies: readonly Policy[] = []

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** The model in force; undefined when nginx does not run, or runs with a configuration that must be replaced. */
  get running(): Model | undefined {
    const { pid, model } = this.#inForce ?? {}
    return pid === this.#options.driver.masterPid ? model : undefined
  }

  /** Hash of the configuration in force. */
  get hash(): string | undefined {
    const { state } = this.#options.driver
    return state.kind === "serving" ? state.hash : undefined
  }

  /** False as long as `running.live` is only what is known of the live half: then the next post is a full one. */
  get isInStep(): boolean {
    return this.#options.control.isInStep
  }

  /** Takes over a running nginx. Its live half is not known, its fixed half only when this controller would print the same. */
  async adopt(): Promise<boolean> {
    const { driver, layout, render } = this.#options
    const isAdopted = await driver.adopt()
    const fixed = isAdopted ? await readFixed(layout) : undefined
    if (!fixed) return isAdopted
    this.#foundPolicies = fixed.policies
    if (this.hash === render(fixed).hash) this.#note(fixed, nothing)
    return true
  }

  /**
   * Puts a fixed half in force. Policies that routes in force still name stay in it, as those routes are only posted afterwards.
   *
   * @throws Failure as `Driver.apply`
   */
  async load(fixed: Fixed): Promise<{ readonly applied: Applied; readonly conf: Conf }> {
    const { driver, control, render } = this.#options
    const whole = { ...fixed, policies: union(fixed.policies, this.#policiesInUse()) }
    const conf = render(whole)
    const live = this.running?.live ?? nothing
    const applied = await driver.apply(conf, whole)
    if (applied === "started") control.forget()
    this.#note(whole, applied === "started" ? nothing : live)
    return { applied, conf }
  }

  /**
   * Puts a live half in force; only when something is loaded.
   *
   * @param change what leads there from `running.live`
   * @returns Problems of what nginx does not take; everything else is in force
   * @throws Failure as `Control.apply`
   */
  async post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    const { fixed, live } = this.#model()
    const { inForce, refusals } = await this.#options.control.apply(live, wanted, change)
    this.#note(fixed, inForce)
    return problemsOf(refusals, wanted)
  }

  /** Lets go of backends that were removed a while ago. @returns milliseconds until the next, if any */
  removeDue(): Promise<number | undefined> {
    return this.#options.control.removeDue()
  }

  #model(): Model {
    if (!this.#inForce) throw new Error("Nothing is loaded that a change could be posted to")
    return this.#inForce.model
  }

  #note(fixed: Fixed, live: Live): void {
    const pid = this.#options.driver.masterPid
    this.#inForce = pid === undefined ? undefined : { pid, model: { fixed, live } }
  }

  #policiesInUse(): readonly Policy[] {
    if (this.#options.driver.masterPid === undefined) return []
    const { running } = this
    if (!running || !this.isInStep) return union(running?.fixed.policies ?? [], this.#foundPolicies)
    const inUse = new Set(running.live.hosts.flatMap((host) => host.routes.map((route) => route.policy)))
    return running.fixed.policies.filter((policy) => inUse.has(policy.name))
  }
}

/** Each policy once, in canonical order: a policy's name is a hash of its content. */
function union(some: readonly Policy[], others: readonly Policy[]): readonly Policy[] {
  const byName = new Map([...some, ...others].map((policy) => [policy.name, policy]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
