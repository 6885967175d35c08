import { compareText } from "../controller/support/order.ts"
import type { Answered, IngressTraffic, TrafficPage } from "./api.ts"
import { hasWords, type Question, type SortKeys } from "./question.ts"
import type { Sources } from "./sources.ts"

/** Those that fail most come first. @throws Failure `bad-question` or `control-lost` */
export async function trafficAnswer(question: Question, { traffic }: Sources): Promise<TrafficPage> {
  const { words } = question
  const all = await traffic.look(Date.now())
  const found = (all ?? []).filter(({ ingress }) => hasWords(words, ingress)).sort(byTrouble)
  return { ...question.page(question.sorted(found, keys), (one) => one), isCounted: all !== undefined }
}

const keys: SortKeys<IngressTraffic> = {
  ingress: ({ ingress }) => ingress,
  rate: ({ perSecond }) => perSecond?.requests ?? -1,
  "error-rate": ({ perSecond }) => perSecond?.errors ?? -1,
  "refused-rate": ({ perSecond }) => perSecond?.refused ?? -1,
  requests: ({ total }) => total.requests,
  errors: ({ total }) => total.errors,
  refused: ({ total }) => total.refused,
}

function byTrouble(a: IngressTraffic, b: IngressTraffic): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  return other.errors - one.errors || other.requests - one.requests || compareText(a.ingress, b.ingress)
}

function numbersOf({ perSecond, total }: IngressTraffic): Answered {
  return perSecond ?? total
}
