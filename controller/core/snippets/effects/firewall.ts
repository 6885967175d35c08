import { faultText } from "../../modsecurity/fault-text.ts"
import { readRules } from "../../modsecurity/read-rules.ts"
import type { CompiledFirewall } from "../compiled.ts"
import type { Scope } from "../scope.ts"
import { type Effect, type Outcome, refusal } from "./effect.ts"

// Rules of ModSecurity that look at the requests of a path. What they may say is core/modsecurity's to judge, wherever they stand.

function say(scope: Scope, instead: string, said: CompiledFirewall): Outcome {
  if (scope.session.place !== "location" || scope.location !== undefined)
    return refusal("rules of ModSecurity are those of all paths of an Ingress, or of all Ingresses", instead)
  scope.firewall = { ...scope.firewall, ...said }
  return "data"
}

const isOn: Effect = ([word], scope) => say(scope, 'annotation "enable-modsecurity"', { isOn: word === "on" })

function rules(text: string, scope: Scope): Outcome {
  const read = readRules(text)
  const [fault] = read.kind === "refused" ? read.faults : []
  if (fault !== undefined) return refusal(`its rules: ${faultText(fault)}`)
  const before = scope.firewall?.rules ?? []
  return say(scope, 'annotation "modsecurity-snippet"', { rules: [...before, text] })
}

const fromText: Effect = ([text = ""], scope) => rules(text, scope)

/** Of the files of the reference's image those that rules may include. */
const fromFile: Effect = ([path = ""], scope) =>
  /[\s"'\\]/.test(path) ? refusal("its name has blanks or quotes") : rules(`Include ${path}`, scope)

const transactionId: Effect = ([id = ""], scope) =>
  say(scope, 'annotation "modsecurity-transaction-id"', { transactionId: id })

export const firewall: Readonly<Record<string, Effect>> = {
  modsecurity: isOn,
  modsecurity_rules: fromText,
  modsecurity_rules_file: fromFile,
  modsecurity_transaction_id: transactionId,
}
