import { randomBytes } from "node:crypto"
import { changeOf, isEmpty, type LiveChange, noChange } from "../../core/plan/change.ts"
import { type KindRules, kinds, kindsInOrder, type NameOf } from "../../core/plan/kinds.ts"
import { emptyLive, type Live, type LiveKind, type LiveThings } from "../../model/model.ts"
import type { Host } from "../../model/route.ts"
import { Failure } from "../../support/failure.ts"
import type { ControlClient } from "./client.ts"
import type { Keys } from "./closing.ts"
import { Linger } from "./linger.ts"
import { PartedHosts } from "./parted-hosts.ts"
import { itWaits, type PostEvents, Poster } from "./poster.ts"
import { type Refusal, withoutRefused } from "./refusal.ts"
import { maxWholeRoutes } from "./route-parts.ts"
import { settle, withoutRemovedBackends } from "./settling.ts"
import { headItem, type Item, itemsOf, listOf, removeItemsOf, setItemsOf } from "./wire.ts"
import { listsIn, withoutLists } from "./without-lists.ts"

// Brings the live half into the zones: small changes that build on each other, and everything at once when it is not known what is there.

/** How a change ended. */
export interface Outcome {
  /** what the zones hold now */
  readonly inForce: Live
  readonly refusals: readonly Refusal[]
}

/** What became of backends that linger. */
export interface Removal {
  readonly hasMadeRoom: boolean
  /** milliseconds until the next are due, if any */
  readonly nextMs: number | undefined
}

export interface ControlOptions {
  readonly client: ControlClient
  readonly events: PostEvents
  /** milliseconds, never back; tests give their own */
  readonly now?: () => number
}

/** A part of what `GET /configuration/names` lists (docs/wire.md 1): names by list, and where the next part begins; null behind the last one. */
interface Names {
  readonly next: string | null
  readonly [list: string]: readonly never[] | string | null
}

/** What a worker lists in about a millisecond. */
const namesAtOnce = 1024

export class Control {
  readonly #client: ControlClient
  readonly #poster: Poster
  readonly #parted: PartedHosts
  readonly #linger: Linger

  constructor({ client, events, now }: ControlOptions) {
    this.#client = client
    this.#poster = new Poster(client, events, randomBytes(4).toString("hex"))
    this.#parted = new PartedHosts(this.#poster)
    this.#linger = new Linger(now)
  }

  /** False as long as it is not known what the zones hold. */
  get isInStep(): boolean {
    return this.#poster.isInStep
  }

  /** All that was posted so far, in bytes. */
  get postedBytes(): number {
    return this.#poster.postedBytes
  }

  /** nginx was started: its zones are empty, whatever they were, and workers of the one before may still hold our connection. */
  startAnew(): void {
    this.#client.reconnect()
    this.#poster.forget()
    this.#parted.found([], [])
    this.#linger.clear()
  }

  /** Whether there is any route in the zones. */
  async hasRoutes(): Promise<boolean> {
    return namesIn(await this.#names(), "hosts").length > 0
  }

  /**
   * Carries out a change, which leads from `running` to `wanted`. When it returns, every request that starts sees it, in every worker. Backends that it removes stay in the zone for a
   * while (linger.ts); when the zones are not as `running` says, everything is set anew.
   *
   * @throws Failure when nginx does not answer as it should; then nothing is known and the next call starts anew
   */
  async apply(running: Live, wanted: Live, change: LiveChange): Promise<Outcome> {
    if (!this.#poster.isInStep) return this.#replace(running, wanted)
    if (isEmpty(change)) return { inForce: wanted, refusals: [] }
    const outcome = await this.#carryOut(running, wanted, change, {})
    return outcome === "out-of-step" ? this.#replace(running, wanted) : outcome
  }

  /** @param there keys of records of which it is not known what they say */
  async #carryOut(
    running: Live,
    wanted: Live,
    change: LiveChange,
    there: Keys,
  ): Promise<Outcome | "out-of-step"> {
    this.#noteBackends(change)
    const refusals = await this.#post(withoutRemovedBackends(change), running)
    if (refusals === "out-of-step") return refusals
    const inForce = withoutRefused(running, wanted, refusals)
    if (refusals.length === 0) return { inForce, refusals }
    const hasMadeRoom = kindsInOrder.some((kind) => kind !== "backends" && change[kind].remove.length > 0)
    const unsettled = { inForce, wanted, refusals, unknown: there, hasMadeRoom }
    return settle(unsettled, (more, before) => this.#post(more, before))
  }

  /** Removes the records of backends that have lingered long enough. */
  async removeDue(): Promise<Removal> {
    const due = this.#linger.due()
    if (due.length > 0) {
      const refusals = await this.#post({ ...noChange, backends: { set: [], remove: due } }, emptyLive)
      for (const name of due) this.#linger.delete(name)
      if (refusals === "out-of-step") throw outOfStep()
    }
    return { hasMadeRoom: due.length > 0, nextMs: this.#linger.nextMs() }
  }

  /** Sets everything and removes what else is there. Nothing is emptied first, so traffic goes on. */
  async #replace(running: Live, wanted: Live): Promise<Outcome> {
    this.#poster.forget()
    const there = await this.#names()
    this.#parted.found(
      there.flatMap((part) => (part[listOf("routeParts")] ?? []) as readonly string[]),
      namesIn(there, "hosts").map(kinds.hosts.keyOf),
    )
    const outcome = await this.#carryOut(running, wanted, replacement(there, wanted), keysIn(there))
    if (outcome === "out-of-step") throw outOfStep()
    return outcome
  }

  #noteBackends({ backends }: LiveChange): void {
    for (const name of backends.remove) this.#linger.add(name)
    for (const { name } of backends.set) this.#linger.delete(name)
  }

  async #post(change: LiveChange, running: Live): Promise<readonly Refusal[] | "out-of-step"> {
    this.#poster.begin(running)
    const refusals = await this.#postAll(change, running)
    // An empty wanted half still has to name a generation that the next change can build on.
    if (refusals !== "out-of-step" && !this.#poster.isInStep) await this.#poster.post([])
    return refusals
  }

  /** Hosts with many routes come behind everything else that is set, aliases behind the hosts that they refer to, and removals behind them. */
  async #postAll(change: LiveChange, running: Live): Promise<readonly Refusal[] | "out-of-step"> {
    const { hosts } = change
    const large = hosts.set.filter(isLarge)
    const aliases = hosts.set.filter(isAlias)
    const isWhole = (host: Host) => !isLarge(host) && !isAlias(host)
    const whole = { ...change, hosts: { ...hosts, set: hosts.set.filter(isWhole) } }
    const isOneStep = large.length === 0 && aliases.length === 0
    const first = await this.#poster.postAll(isOneStep ? itemsOf(whole) : setItemsOf(whole))
    if (first === "out-of-step") return first
    const refusals = first.filter((refusal) => !isOfHost(refusal))
    const inParts = whole.hosts.set.filter((host) => first.some((refusal) => isOfHost(refusal, host)))
    const lists = listsIn(first)
    const steps = [
      ...[...large, ...inParts].map((host) => () => this.#setInParts(host, lists, running)),
      () => this.#poster.postAll(setItemsOf({ ...noChange, hosts: { set: aliases, remove: [] } })),
      ...(isOneStep ? [] : [() => this.#poster.postAll(removeItemsOf(whole))]),
      () => this.#removeParts({ ...hosts, set: [...whole.hosts.set, ...aliases] }, inParts, refusals),
    ]
    for (const step of steps) {
      const refused = await step()
      if (refused === "out-of-step") return refused
      refusals.push(...refused)
    }
    return refusals
  }

  /** @param lists ids of those that were refused. @returns what of the host is not in force: routes, or the host as a whole */
  async #setInParts(
    wanted: Host,
    lists: ReadonlySet<string>,
    running: Live,
  ): Promise<readonly Refusal[] | "out-of-step"> {
    const before =
      lists.size === 0 ? undefined : running.hosts.find((host) => hostKey(host) === hostKey(wanted))
    const { host, kept, closed } = withoutLists(wanted, lists, before)
    const refusals = await this.#parted.set(host)
    if (refusals === "out-of-step" || host === wanted) return refusals
    const inForce = refusals.length === 0 ? host : refusals.find((refusal) => refusal.inForce)?.inForce
    if (inForce === undefined) return refusals
    const refused = { item: headItem(wanted, []), status: itWaits.status, inForce }
    const states = [
      { ...refused, routes: kept, reason: `${itWaits.reason}; it stays what it was` },
      { ...refused, routes: closed, reason: `${itWaits.reason}; requests get 503` },
    ]
    return [...refusals, ...states.filter(({ routes }) => routes.length > 0)]
  }

  /** Parts that no host names any more. @param parted those of `hosts.set` that came in parts after all */
  #removeParts(
    { set, remove }: LiveChange["hosts"],
    parted: readonly Host[],
    refusals: readonly Refusal[],
  ): Promise<readonly Refusal[] | "out-of-step"> {
    const others = new Set([...refusals.map(({ item }) => item.name), ...parted].map(hostKey))
    for (const host of [...set, ...remove]) if (!others.has(hostKey(host))) this.#parted.hasNone(host)
    return this.#parted.removeUnused()
  }

  /** Asks for parts, so that no worker is held up for long. */
  async #names(): Promise<readonly Names[]> {
    const parts: Names[] = []
    let cursor = ""
    for (;;) {
      const { status, body } = await this.#client.get(`/configuration/names?limit=${namesAtOnce}${cursor}`)
      if (status !== 200)
        throw new Failure("control-failed", `Cannot list what nginx serves: it answered ${status}`)
      const part: Names = JSON.parse(body)
      parts.push(part)
      if (part.next === null) return parts
      cursor = `&cursor=${part.next}`
    }
  }
}

function isLarge({ routes }: Host): boolean {
  return routes.length > maxWholeRoutes
}

function isAlias({ aliasOf }: Host): boolean {
  return aliasOf !== undefined
}

function keysIn(there: readonly Names[]): Keys {
  const keysOf = <Kind extends LiveKind>(kind: Kind) => {
    const { keyOf }: KindRules<LiveThings[Kind], NameOf<Kind>> = kinds[kind]
    return new Set(namesIn(there, kind).map(keyOf))
  }
  return Object.fromEntries(kindsInOrder.map((kind) => [kind, keysOf(kind)]))
}

/** Statuses of a host of which other routes may be taken. */
const partlyTaken: ReadonlySet<number> = new Set([400, 413, itWaits.status])

/**
 * A host that nginx does not take as a whole, for its length or for some of its routes, or that waits for a list of some: in parts the others are
 * set. @param host absent: any
 */
function isOfHost({ item, status }: Refusal, host?: Host): boolean {
  if (!partlyTaken.has(status) || item.kind !== "hosts" || item.verb !== "set") return false
  return host === undefined || hostKey(item.name) === hostKey(host)
}

/** Anything but a host has no key of one. */
function hostKey(name: Item["name"]): string {
  return typeof name === "string" ? "" : kinds.hosts.keyOf(name)
}

/** Sets everything that is wanted and removes what else is there. */
function replacement(there: readonly Names[], wanted: Live): LiveChange {
  return changeOf((kind) => ({ set: wanted[kind], remove: othersThan(wanted, namesIn(there, kind), kind) }))
}

function othersThan<Kind extends LiveKind>(
  wanted: Live,
  there: readonly NameOf<Kind>[],
  kind: Kind,
): NameOf<Kind>[] {
  const { nameOf, keyOf }: KindRules<LiveThings[Kind], NameOf<Kind>> = kinds[kind]
  const names = new Set(wanted[kind].map((thing) => keyOf(nameOf(thing))))
  return there.filter((name) => !names.has(keyOf(name)))
}

/** A filter of an older wick, which this controller takes over, has fewer lists. */
function namesIn<Kind extends LiveKind>(parts: readonly Names[], kind: Kind): readonly NameOf<Kind>[] {
  return parts.flatMap((part) => (part[listOf(kind)] ?? []) as readonly NameOf<Kind>[])
}

function outOfStep(): Failure {
  return new Failure(
    "control-contended",
    "Cannot post changes to nginx: another process posts at the same time",
  )
}
