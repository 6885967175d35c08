import { CandidateReader, type Standing } from "../core/gateway/candidate.ts"
import { AnnotatedRoutes } from "../core/ingress/annotated-routes.ts"
import { candidateReader, type ReadCandidate } from "../core/ingress/candidate.ts"
import { parseSettings } from "../core/options/configmap.ts"
import type { Settings } from "../core/options/settings.ts"
import type { TranslateOptions } from "../core/options/translation.ts"
import type { ConfigMap } from "../model/objects/config-map.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { nameOf, qualifiedName } from "../model/objects/object.ts"
import { printName } from "../model/problem.ts"
import { reasonOf } from "../support/failure.ts"
import type { Log } from "../support/log.ts"
import { type Candidate, decode } from "./candidate.ts"
import { check, type Surroundings, type Verdict } from "./check.ts"
import { type Finding, refusalText, warningTexts } from "./finding.ts"
import { checkGatewayObject, type GatewaySurroundings } from "./gateway-check.ts"
import { decodeObject } from "./gateway-objects.ts"
import type { PathOwners } from "./path-owners.ts"
import { parseReview, printResponse, type Review } from "./review.ts"
import type { Answer } from "./server.ts"

/** The objects that are known now. */
interface KnownObjects {
  /** everything has been read once: what exists is known */
  readonly areComplete: () => boolean
  /** has heard of all that are ours */
  readonly owners: PathOwners
  readonly isOurs: (ingress: Ingress) => boolean
  /** with the global settings; undefined without one */
  readonly configMap: () => ConfigMap | undefined
  /** objects of the Gateway API, and what they lead to */
  readonly standing: () => Standing
  /** whether objects of the Gateway API in a namespace may be ours */
  readonly isWatched: (namespace: string) => boolean
}

/** How a check ended and what it took, seconds. */
export interface CheckReport {
  readonly ingress: { readonly namespace: string; readonly name: string }
  readonly outcome: "accepted" | "refused"
  /** with how many others it was compared */
  readonly ingresses: number
  readonly checkSeconds: number
  readonly totalSeconds: number
}

export interface AdmissionOptions {
  readonly objects: KnownObjects
  readonly options: TranslateOptions
  /** `--deep-inspect` */
  readonly inspects: boolean
  /** what of an Ingress is served differently from ingress-nginx */
  readonly differencesOf: (ingress: Ingress, settings: Settings) => readonly Finding[]
  readonly checked: (report: CheckReport) => void
  readonly log: Pick<Log, "info" | "warn" | "error">
  /** milliseconds since 1970 */
  readonly now?: () => number
}

const busy: Answer = { status: 503 }

/** Answers whether an object may be. Holds it against the objects that are known at that moment; keeps nothing of what it is asked. */
export class Admission {
  readonly #with: AdmissionOptions
  #configMap: ConfigMap | undefined
  #settings: Settings = parseSettings(undefined).settings
  #problemsOf: ReadCandidate
  #reader: CandidateReader

  constructor(options: AdmissionOptions) {
    this.#with = options
    this.#problemsOf = candidateReader(this.#settings, options.options)
    this.#reader = gatewayReader(this.#settings, options.options)
  }

  /**
   * The answer to a body. Without an answer of its own, 503, before everything is known and after a bug: then the API server goes by the
   * failurePolicy, which somebody has chosen for that.
   */
  answer(text: string): Answer {
    try {
      return this.#answer(text)
    } catch (error) {
      this.#with.log.error({ err: error, detail: reasonOf(error) }, "An object could not be checked")
      return busy
    }
  }

  #answer(text: string): Answer {
    const startMs = performance.now()
    const asked = parseReview(text)
    if (asked.kind === "unusable") return { status: asked.status }
    const { review } = asked
    if (review.operation === "DELETE" || review.operation === "CONNECT") return allowed(review, [])
    if (!this.#with.objects.areComplete()) return busy
    const nowMs = (this.#with.now ?? Date.now)()
    if (review.kind !== "Ingress") return this.#judgeGatewayObject(review, nowMs)
    const decoded = decode(review.object, nowMs)
    if (decoded.kind === "undecodable") return refused(review, refusalText(decoded.faults), [])
    const old = decode(review.oldObject, nowMs)
    return this.#judge(
      review,
      decoded.candidate,
      old.kind === "candidate" ? old.candidate : undefined,
      startMs,
    )
  }

  #judge(review: Review, candidate: Candidate, old: Candidate | undefined, startMs: number): Answer {
    const checkMs = performance.now()
    const around = this.#surroundings()
    const verdict = check(candidate, old, around)
    const endMs = performance.now()
    this.#report(candidate, verdict, { startMs, checkMs, endMs })
    const warnings = warningTexts(verdict.warnings)
    return verdict.refusals.length === 0
      ? allowed(review, warnings)
      : refused(review, refusalText(verdict.refusals), warnings)
  }

  #judgeGatewayObject(review: Review, nowMs: number): Answer {
    const decoded = decodeObject(review.object, review.kind, nowMs)
    if (decoded.kind === "undecodable") return refused(review, refusalText(decoded.faults), [])
    const old = decodeObject(review.oldObject, review.kind, nowMs)
    const around = this.#gatewaySurroundings()
    const { refusals, warnings, isOurs } = checkGatewayObject(
      decoded,
      old.kind === "candidate" ? old : undefined,
      around,
    )
    const object = printName(nameOf(decoded.candidate))
    const texts = warningTexts(warnings)
    if (refusals.length === 0) {
      this.#with.log.info({ object, warnings: warnings.length, isOurs }, "Object accepted")
      return allowed(review, texts)
    }
    this.#with.log.warn({ object, detail: refusalText(refusals) }, "Object refused")
    return refused(review, refusalText(refusals), texts)
  }

  #gatewaySurroundings(): GatewaySurroundings {
    this.#readSettings()
    const { standing, isWatched, owners } = this.#with.objects
    const ingressOf = (host: string) => owners.ownerOfHost(host)?.name
    return { reader: this.#reader, standing: standing(), isWatched, ingressOf }
  }

  #readSettings(): void {
    const { objects, options } = this.#with
    const configMap = objects.configMap()
    if (configMap === this.#configMap) return
    this.#settings = parseSettings(configMap, this.#settings).settings
    this.#problemsOf = candidateReader(this.#settings, options)
    this.#reader = gatewayReader(this.#settings, options)
    this.#configMap = configMap
  }

  #surroundings(): Surroundings {
    this.#readSettings()
    const { objects, options, inspects, differencesOf } = this.#with
    const settings = this.#settings
    return {
      isOurs: objects.isOurs,
      owners: objects.owners,
      settings,
      options,
      problemsOf: this.#problemsOf,
      inspects,
      differencesOf: (ingress) => differencesOf(ingress, settings),
    }
  }

  #report(
    { ingress: { meta } }: Candidate,
    { refusals, warnings, isFull, isCounted }: Verdict,
    { startMs, checkMs, endMs }: { startMs: number; checkMs: number; endMs: number },
  ): void {
    const { log, checked, objects } = this.#with
    const ms = Math.round((endMs - startMs) * 100) / 100
    const ingress = qualifiedName(meta)
    const isAccepted = refusals.length === 0
    if (isAccepted) log.info({ ingress, ms, warnings: warnings.length, isOurs: isFull }, "Ingress accepted")
    else log.warn({ ingress, ms, detail: refusalText(refusals) }, "Ingress refused")
    if (!(isAccepted ? isFull : isCounted)) return
    checked({
      ingress: { namespace: meta.namespace, name: meta.name },
      outcome: isAccepted ? "accepted" : "refused",
      ingresses: objects.owners.size,
      checkSeconds: (endMs - checkMs) / 1000,
      totalSeconds: (endMs - startMs) / 1000,
    })
  }
}

function gatewayReader(settings: Settings, options: TranslateOptions): CandidateReader {
  const context = { settings, options }
  return new CandidateReader(context, new AnnotatedRoutes(context))
}

function allowed({ uid }: Review, warnings: readonly string[]): Answer {
  return { status: 200, body: printResponse({ uid, warnings }) }
}

function refused({ uid }: Review, refusal: string, warnings: readonly string[]): Answer {
  return { status: 200, body: printResponse({ uid, warnings, refusal }) }
}
