import { compareText } from "../support/order.ts"
import type { Answered, IngressTraffic, TrafficPage } from "./api.ts"
import { hasWords, type Question } from "./question.ts"
import type { Sources } from "./sources.ts"

/** Those that fail most come first. @throws Failure `bad-question` or `control-lost` */
export async function trafficAnswer(question: Question, { traffic }: Sources): Promise<TrafficPage> {
  const { words } = question
  const all = await traffic.look(Date.now())
  const found = (all ?? []).filter(({ ingress }) => hasWords(words, ingress)).sort(byTrouble)
  return { ...question.page(found, (one) => one), isCounted: all !== undefined }
}

function byTrouble(a: IngressTraffic, b: IngressTraffic): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  return other.errors - one.errors || other.requests - one.requests || compareText(a.ingress, b.ingress)
}

function numbersOf({ perSecond, total }: IngressTraffic): Answered {
  return perSecond ?? total
}
