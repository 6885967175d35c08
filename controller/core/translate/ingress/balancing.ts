import type {
  AffinityCookie,
  CookieAffinity,
  HashBy,
  LoadBalance,
  OutlierEjection,
  TrafficShaping,
} from "../../../model/backend.ts"
import type {
  AffinityValues,
  AnnotationValues,
  BalancingValues,
  CanaryValues,
} from "../../annotations/values.ts"

// What an Ingress says about the backends it names, in the words of the model.

export interface Balancing {
  readonly choice: Choice
  readonly affinity?: Affinity
  /** the Ingress is a canary */
  readonly canary?: Canary
}

/** How a backend's endpoints are found and chosen. Of several Ingresses the oldest that names the backend decides all of it. */
export interface Choice {
  /** absent: that of the ConfigMap */
  readonly loadBalance?: LoadBalance
  /** absent: that of the ConfigMap */
  readonly serviceUpstream?: boolean
  readonly hashBy?: HashBy
  readonly slowStartMs?: number
  readonly outlierEjection?: OutlierEjection
}

/** Sessions. Of several Ingresses that want some for a backend the oldest decides about their form, and each where they begin. */
export interface Affinity {
  readonly mode: CookieAffinity["mode"]
  readonly cookie: Omit<AffinityCookie, "locations">
}

export interface Canary {
  readonly shaping: TrafficShaping
  /** whoever came to it stays with it, as with the backend whose place it takes */
  readonly isSticky: boolean
  /** wants to be used although that backend has a canary already */
  readonly isNWay: boolean
}

/** Name of the cookie that ingress-nginx uses, so that sessions outlive the change to wick. */
const cookieName = "INGRESSCOOKIE"
const subsetSize = 3
const ejectionMs = 30_000

/** That of an Ingress that says nothing: one object for all of them. */
export const nothingSaid: Balancing = { choice: {} }

export function saysNothing(balancing: Balancing): boolean {
  return balancing === nothingSaid
}

export function balancingOf({ canary, affinity, balancing }: AnnotationValues): Balancing {
  const said = [canary, affinity, balancing].some((values) => Object.keys(values).length > 0)
  if (!said) return nothingSaid
  return {
    choice: choiceOf(balancing),
    ...(affinity.kind !== undefined && { affinity: affinityOf(affinity) }),
    ...(canary.isCanary && { canary: canaryOf(canary, affinity) }),
  }
}

function choiceOf(values: BalancingValues): Choice {
  const { loadBalance, serviceUpstream, hashKey, slowStartMs, outlierFailures } = values
  return {
    ...(loadBalance !== undefined && { loadBalance }),
    ...(serviceUpstream !== undefined && { serviceUpstream }),
    ...(hashKey !== undefined && { hashBy: hashByOf(hashKey, values) }),
    ...(slowStartMs !== undefined && { slowStartMs }),
    ...(outlierFailures !== undefined && {
      outlierEjection: { failures: outlierFailures, ejectionMs: values.outlierEjectionMs ?? ejectionMs },
    }),
  }
}

function hashByOf(key: string, values: BalancingValues): HashBy {
  return values.hashesToSubset ? { key, subsetSize: values.subsetSize ?? subsetSize } : { key }
}

function affinityOf(values: AffinityValues): Affinity {
  const { expiresSeconds, maxAgeSeconds, domain, path, sameSite } = values
  return {
    mode: values.mode ?? "balanced",
    cookie: {
      name: values.cookieName ?? cookieName,
      ...(expiresSeconds !== undefined && { expiresSeconds }),
      ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
      ...(domain !== undefined && { domain }),
      ...(path !== undefined && { path }),
      ...(sameSite !== undefined && { sameSite }),
      secure: values.secure ?? false,
      conditionalSameSiteNone: values.conditionalSameSiteNone ?? false,
      changeOnFailure: values.changeOnFailure ?? false,
    },
  }
}

function canaryOf(values: CanaryValues, { canaryBehavior }: AffinityValues): Canary {
  const { weight = 0, weightTotal = 100, header, headerValue, headerPattern, cookie } = values
  return {
    shaping: {
      weight,
      weightTotal,
      ...(header !== undefined && { header }),
      ...(headerValue !== undefined && { headerValue }),
      ...(headerPattern !== undefined && { headerPattern }),
      ...(cookie !== undefined && { cookie }),
    },
    isSticky: canaryBehavior !== "legacy",
    isNWay: values.isNWay ?? false,
  }
}
