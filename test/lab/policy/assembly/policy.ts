// A policy with every fault that `wick policy check` is to find: the configuration names one.
import { DECLINE, Endpoints, Request } from "wick-policy"

const kept: string[] = []
let count: i32 = 0

export function pick(endpoints: Endpoints, request: Request): i32 {
  const fault = endpoints.config
  count++
  if (fault == "decline") return DECLINE
  if (fault == "trap") unreachable()
  if (fault == "loop") while (true) {}
  if (fault == "range") return endpoints.count
  if (fault == "again") return 0
  if (fault == "uneven") return endpoints.isAvoided(0) || count % 3 > 0 ? endpoints.any() : 0
  if (fault == "memory") kept.push(request.path + count.toString())
  if (fault == "unsticky") return endpoints.byHash(request.keyHash + <u32>endpoints.count * 0x9e3779b9)
  if (fault == "slow" && endpoints.count == 1000) for (let i = 0; i < 10000; i++) endpoints.own(i % 1000)
  return endpoints.byWeight()
}
