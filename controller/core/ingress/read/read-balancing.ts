import type { HashBy } from "../../../model/backend.ts"
import type {
  AffinityValues,
  AnnotationValues,
  BalancingValues,
  CanaryValues,
} from "../../annotations/values.ts"
import type { LoadBalancing } from "../../declared/load-balancing.ts"
import { builtIn, policyIn } from "../../options/algorithm.ts"
import { type Affinity, type Balancing, type Canary, defaultBalancing } from "../parsed/balancing.ts"
import type { IngressContext } from "./ingress-context.ts"
import { readPolicy } from "./read-policy.ts"

/** Name of the cookie that ingress-nginx uses, so that sessions outlive the change to wick. */
const cookieName = "INGRESSCOOKIE"
const subsetSize = 3
const ejectionMs = 30_000

export function readBalancing(
  { canary, affinity, balancing }: AnnotationValues,
  context: IngressContext,
): Balancing {
  const said = [canary, affinity, balancing].some((values) => Object.keys(values).length > 0)
  if (!said) return defaultBalancing
  return {
    loadBalancing: loadBalancingOf(balancing, context),
    ...(affinity.kind !== undefined && { affinity: affinityOf(affinity) }),
    ...(canary.isCanary && { canary: canaryOf(canary, affinity) }),
  }
}

function loadBalancingOf(values: BalancingValues, context: IngressContext): LoadBalancing {
  const { loadBalance, serviceUpstream, hashKey: key, slowStartMs, outlierFailures } = values
  const policy = readPolicy(values, context)
  // the key of a policy that cannot be used is nobody's: round robin takes its place, and hashing was not asked for
  const hashKey = policyIn(loadBalance) !== undefined && policy.policy === undefined ? undefined : key
  return {
    ...(loadBalance !== undefined && { loadBalance: builtIn(loadBalance) }),
    ...policy,
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
