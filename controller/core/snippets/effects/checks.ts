import type { AccessRule } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import { type Effect, refusal } from "./effect.ts"
import { hostTwiceIn, refererSteps } from "./referers.ts"

// Who is let in.

function rule(action: AccessRule["action"]): Effect {
  return ([from = ""], { access }) => {
    access.rules = [...(access.rules ?? []), { action, from }]
    return "data"
  }
}

/** `off` is a word also where it is written with variables around: nginx compares the text before it works it out. */
const basic: Effect = ([realm = ""], { access }) => {
  access.authBasic = realm === "off" ? "off" : { realm }
  return "data"
}

const request: Effect = ([uri = ""], { access }) => {
  if (uri === "off") access.authRequest = "off"
  else if (/^\/[^\s$]*$/.test(uri)) access.authRequest = { uri }
  else return refusal(`${shown(uri)} is no path of this host`, 'annotation "auth-url"')
  return "data"
}

const satisfy: Effect = ([word], { access, seen }) => {
  if (word === "any" && seen.has("limit_except")) return refusal("beside limit_except it is not known here")
  access.satisfy = word === "any" ? "any" : "all"
  return "data"
}

const referers: Effect = (args, scope) => {
  const twice = hostTwiceIn([...scope.referers, ...args])
  const steps = twice === undefined ? refererSteps(args) : `conflicting parameter ${shown(twice)}`
  if (typeof steps === "string") return refusal(steps)
  // of several directives nginx makes one list
  scope.referers.push(...args)
  return "data"
}

const internal: Effect = (_, scope) => {
  scope.isInternal = true
  return "data"
}

export const access: Readonly<Record<string, Effect>> = {
  allow: rule("allow"),
  deny: rule("deny"),
  auth_basic: basic,
  auth_request: request,
  satisfy,
  valid_referers: referers,
  internal,
}
