import type { Level, RequestLimit } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import type { Scope, Session } from "../scope.ts"
import { append, type Effect, type Outcome, refusal } from "./effect.ts"

// Limits and caches on zones, and the zones: these are printed, and nginx's own modules count and keep. How much a zone lets in is data of a level.

const requests: Effect = (args, scope) => {
  const { session, level } = scope
  const zone = args.map((it) => /^zone=([-\w.]+)$/.exec(it)?.[1]).find((it) => it !== undefined)
  if (zone === undefined) return refusal('"limit_req" must have "zone" parameter')
  const rest = args.filter((it) => !it.startsWith("zone="))
  const wrong = rest.find((it) => !/^(burst=0*[1-9]\d{0,8}|delay=0*[1-9]\d{0,8}|nodelay)$/.test(it))
  if (wrong !== undefined) return refusal(`invalid parameter ${shown(wrong)}`)
  if (!isZone(session, "requestZones", zone))
    return refusal(unknownZone("limit_req_zone", zone), 'annotation "limit-rps"')
  if (isOfOperator(session)) return "typed"
  if (level.requestLimits?.some((it) => it.zone === zone)) return duplicate("limit_req")
  append(scope, "requestLimits", { zone, ...parametersOf(rest) })
  return "data"
}

/** Of several for the delay the last one counts. */
function parametersOf(words: readonly string[]): Omit<RequestLimit, "zone"> {
  const numberOf = (name: string) => words.findLast((it) => it.startsWith(`${name}=`))?.slice(name.length + 1)
  const [burst, delay] = [numberOf("burst"), numberOf("delay")]
  const last = words.findLast((it) => !it.startsWith("burst="))
  return {
    ...(burst !== undefined && { burst: Number(burst) }),
    ...(last === "nodelay" && { hasNoDelay: true }),
    ...(delay !== undefined && last !== "nodelay" && { delay: Number(delay) }),
  }
}

const connections: Effect = ([zone = "", number], scope) => {
  const { session, level } = scope
  if (!isZone(session, "connectionZones", zone))
    return refusal(unknownZone("limit_conn_zone", zone), 'annotation "limit-connections"')
  if (isOfOperator(session)) return "typed"
  if (level.connectionLimits?.some((it) => it.zone === zone)) return duplicate("limit_conn")
  append(scope, "connectionLimits", { zone, connections: Number(number) })
  return "data"
}

function duplicate(directive: string) {
  return refusal(`"${directive}" directive is duplicate`)
}

function unknownZone(directive: string, name: string): string {
  return `no ${directive} has the name ${shown(name)}, and zones are declared in the ConfigMap's "http-snippet"`
}

const requestZone: Effect = ([, ...parameters]) => {
  const wrong = parameters.find((it) => !/^(zone=[-\w.]+:\d+[km]|rate=\d+r\/[sm]|sync)$/i.test(it))
  return wrong === undefined ? "typed" : refusal(`invalid parameter ${shown(wrong)}`)
}

const connectionZone: Effect = ([, parameter = ""]) =>
  /^zone=[-\w.]+:\d+[km]$/i.test(parameter) ? "typed" : refusal(`invalid parameter ${shown(parameter)}`)

const cache: Effect = ([name = ""], { session }) => {
  if (name === "off") return "data"
  return isZone(session, "cacheZones", name) ? "typed" : refusal(unknownZone("proxy_cache_path", name))
}

type Zones = "requestZones" | "connectionZones" | "cacheZones"

/** Whether the snippet, or what is around it, declares it. */
function isZone(session: Session, zones: Zones, name: string): boolean {
  return session[zones].has(name) || (session.options[zones]?.has(name) ?? false)
}

/** What annotations limit has it from the route, what zones limit from the level. */
function status(key: "limitReqStatus" | "limitConnStatus", zones: Zones): Effect {
  return ([code = ""], scope) => {
    scope.overrides = { ...scope.overrides, [key]: Number(code) }
    return hasZone(scope.session, zones) ? set(scope, { [key]: Number(code) }) : "data"
  }
}

function dryRun(key: "limitReqDryRun" | "limitConnDryRun"): Effect {
  return ([word], scope) => set(scope, { [key]: word === "on" })
}

function logLevel(key: "limitReqLogLevel" | "limitConnLogLevel"): Effect {
  return ([word], scope) => set(scope, { [key]: word as NonNullable<Level[typeof key]> })
}

function set(scope: Scope, limiting: Level): Outcome {
  if (isOfOperator(scope.session)) return "typed"
  Object.assign(scope.level, limiting)
  return "data"
}

function hasZone(session: Session, zones: Zones): boolean {
  return session[zones].size + (session.options[zones]?.size ?? 0) > 0
}

/** It is printed around all, so that what is no Ingress has it, too. */
function isOfOperator({ place, options }: Session): boolean {
  return place === "http" || options.namespace === ""
}

export const limiting: Readonly<Record<string, Effect>> = {
  limit_req: requests,
  limit_conn: connections,
  limit_req_status: status("limitReqStatus", "requestZones"),
  limit_conn_status: status("limitConnStatus", "connectionZones"),
  limit_req_dry_run: dryRun("limitReqDryRun"),
  limit_conn_dry_run: dryRun("limitConnDryRun"),
  limit_req_log_level: logLevel("limitReqLogLevel"),
  limit_conn_log_level: logLevel("limitConnLogLevel"),
  limit_req_zone: requestZone,
  limit_conn_zone: connectionZone,
  proxy_cache: cache,
  fastcgi_cache: cache,
}
