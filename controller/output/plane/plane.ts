import type { LiveChange } from "../../core/plan/change.ts"
import type { Http } from "../../model/http.ts"
import type { Fixed, Live, Model } from "../../model/model.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { StreamPort } from "../../model/stream-listener.ts"
import type { PolicyCompiler } from "./policy-compiler.ts"
import type { Readings } from "./readings.ts"
import type { RuleSetChecker } from "./rule-set-checker.ts"

// The data plane as the controller sees it: models go in, what is in force and what was counted comes out. Where it runs, and how it is reached, is
// known to its implementation only: no path, no process and no socket is named here. `output/nginx` is the one on this machine.

/** What a data plane runs with, as far as this controller knows. It changes by the calls of `DataPlane`, and when the data plane ends. */
interface PlaneState {
  /**
   * Names one run of the data plane; undefined while none runs. What was brought to one generation is not in force in the next: that begins empty.
   */
  readonly generation: number | undefined
  /** The model in force; undefined when nothing runs, or runs with a configuration that must be replaced. */
  readonly running: Model | undefined
  /** What is known to be in force of the live half, also while nothing is served yet. */
  readonly live: Live
  /** Hash of the configuration in force; undefined when it is not known. */
  readonly hash: string | undefined
  /** False when nothing runs, or only what is being prepared. What was found running serves. */
  readonly isServing: boolean
  /** False as long as `live` is only what is known of the live half: then the next post is a full one. */
  readonly isInStep: boolean
  /** It was started from another build than is installed now: only `prepare` makes it go on with this one. */
  readonly isOutdated: boolean
  /** Whether it ever ran since this controller began. */
  readonly hasServed: boolean
}

export interface DataPlane extends PlaneState {
  /**
   * Takes over what runs already, left by a controller before this one. Its live half is not known, its fixed half only when this controller would
   * bring the same. Once, before anything else.
   *
   * @returns whether something runs
   * @throws Failure when nothing runs and nothing could be started, as for a port that is in use
   */
  adopt(): Promise<boolean>

  /**
   * Asks whether a configuration would be taken; changes nothing.
   *
   * @throws Failure `conf-refused` with the data plane's own words, others when it could not be asked
   */
  check(fixed: Fixed): Promise<void>

  /**
   * Which ports could not be listened on because something else does.
   *
   * @param ports that it does not listen on itself
   * @returns reasons by `streamName`; phrases
   */
  portsInUse(ports: readonly StreamPort[], http: Http): Promise<ReadonlyMap<string, string>>

  /**
   * Starts what takes in routes and endpoints but no traffic: nobody shall be told that a host does not exist because it has not been posted yet.
   * `load` then makes it serve. What is outdated serves until then.
   *
   * @throws Failure `conf-refused` when it could not serve with this, others when it could not be started
   */
  prepare(fixed: Fixed): Promise<void>

  /**
   * Puts a fixed half in force in what runs. Locations that routes in force still name stay in it, as those routes are only posted afterwards.
   *
   * @returns the hash of the configuration; undefined when it was in force already
   * @throws Failure `conf-refused`, others when it was not taken although it could be; what was in force stays
   */
  load(fixed: Fixed): Promise<string | undefined>

  /**
   * Puts a live half in force: when it returns, every request that begins is served by it. Only when something is loaded or prepared.
   *
   * @param change what leads there from `live`
   * @returns Problems of what is not taken, this time or before; everything else is in force
   * @throws Failure when the data plane does not answer as it should: then `isInStep` is false, and the next post is a full one
   */
  post(wanted: Live, change: LiveChange): Promise<readonly Problem[]>

  /**
   * Lets go of what was removed a while ago.
   *
   * @returns milliseconds until there is more to let go of, or until what had no room is to be posted again; undefined: neither
   * @throws Failure as `post`
   */
  removeDue(): Promise<number | undefined>

  /** Forgets what was counted of Ingresses that there are no more. Never rejects. @param ingresses the same list as before: nothing has changed */
  keepSeriesOf(objects: Pick<Snapshot, "ingresses" | "gateway">): Promise<void>

  /** What it says of itself. */
  readonly read: Readings

  /** Where balancing policies are compiled for it. @param failed learns why something could not be kept */
  openPolicies<State>(failed: (error: unknown) => void): Promise<PolicyCompiler<State>>

  /**
   * Takes a copy of a database of GeoIP in the place of the one before: requests that begin a second later are looked up in it.
   *
   * @param from a file that nobody writes to meanwhile
   * @throws Failure when it cannot be copied; the one before stays
   */
  putDatabase(edition: string, from: string): Promise<void>

  /** Databases of GeoIP of other names are of no use any more. */
  keepDatabases(editions: readonly string[]): Promise<void>

  /** Where rule sets of web application firewalls are checked for it. @param failed learns why something could not be kept */
  openRuleSets<State>(failed: (error: unknown) => void): Promise<RuleSetChecker<State>>

  /** Has clients leave, and serves them meanwhile. */
  drain(): Promise<void>

  /** Lets requests finish and ends it. @param cut aborts the waiting: then it ends at once */
  stop(cut: AbortSignal): Promise<void>
}

/** How a posted change ended: taken, refused by the data plane, or not answered. */
type PostOutcome = "applied" | "refused" | "failed"

/** Sizes of zones of shared memory, by name. */
export type ZoneSizes = Readonly<Record<string, { readonly bytes: number; readonly slots: number }>>

/** What a data plane tells without being asked. */
export interface PlaneEvents {
  /** It ended without being asked to: nobody keeps up to date what still serves, until another one is prepared. */
  died(how: string): void
  /** A part of a change was posted. */
  posted(outcome: PostOutcome, seconds: number): void
  /** So many routes are closed or left out for want of room. */
  closedForRoom(routes: number): void
  /** Zones have grown, by a reload, or, with a failure, cannot. */
  grew(larger: ZoneSizes, failure?: Error): void
  /** Workers were replaced for the sets of numbers that they had kept. */
  renewed(): void
}
