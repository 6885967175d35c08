import { shown } from "../../../model/shown.ts"
import { type Effect, refusal } from "./effect.ts"

// Limits and caches on zones, and the zones: they are printed, and nginx's own modules count and keep.

const requests: Effect = (args, { session }) => {
  const name = args.map((it) => /^zone=([-\w.]+)$/.exec(it)?.[1]).find((it) => it !== undefined)
  if (name === undefined) return refusal('"limit_req" must have "zone" parameter')
  const rest = args.filter((it) => !it.startsWith("zone="))
  const wrong = rest.find((it) => !/^(burst=\d{1,9}|delay=\d{1,9}|nodelay)$/.test(it))
  if (wrong !== undefined) return refusal(`invalid parameter ${shown(wrong)}`)
  const isKnown = session.requestZones.has(name) || session.options.requestZones?.has(name)
  return isKnown ? "typed" : refusal(unknownZone("limit_req_zone", name), 'annotation "limit-rps"')
}

const connections: Effect = ([name = ""], { session }) => {
  const isKnown = session.connectionZones.has(name) || session.options.connectionZones?.has(name)
  return isKnown ? "typed" : refusal(unknownZone("limit_conn_zone", name), 'annotation "limit-connections"')
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
  const isKnown = session.cacheZones.has(name) || session.options.cacheZones?.has(name)
  return isKnown ? "typed" : refusal(unknownZone("proxy_cache_path", name))
}

/** What annotations limit has it from the route; nginx's own modules, which count where zones are declared, read it where it is printed. */
function status(
  key: "limitReqStatus" | "limitConnStatus",
  zones: "requestZones" | "connectionZones",
): Effect {
  return ([code = ""], scope) => {
    const { session } = scope
    scope.overrides = { ...scope.overrides, [key]: Number(code) }
    return session[zones].size + (session.options[zones]?.size ?? 0) > 0 ? "typed" : "data"
  }
}

export const limiting: Readonly<Record<string, Effect>> = {
  limit_req: requests,
  limit_conn: connections,
  limit_req_status: status("limitReqStatus", "requestZones"),
  limit_conn_status: status("limitConnStatus", "connectionZones"),
  limit_req_zone: requestZone,
  limit_conn_zone: connectionZone,
  proxy_cache: cache,
  fastcgi_cache: cache,
}
