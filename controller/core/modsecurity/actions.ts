import { shown } from "../../model/shown.ts"
import { type Refused, refused, type Verdict } from "./verdict.ts"

/** Those that say what becomes of this request, or are about the rule itself. */
const allowed = new Set([
  ...["accuracy", "allow", "auditlog", "block", "capture", "chain", "deny", "drop", "id", "log", "logdata"],
  ...["maturity", "msg", "multimatch", "noauditlog", "nolog", "pass", "phase", "redirect", "rev", "severity"],
  ...["skip", "skipafter", "status", "t", "tag", "ver", "xmlns"],
])

const kept = refused(
  "what is kept of clients grows in nginx's workers without bounds, and all Ingresses would share it",
  '"limit-rps", "limit-rpm" and "limit-by" to count requests',
)
const old = refused("libmodsecurity does not have it")

const refusals: ReadonlyMap<string, Refused> = new Map(
  Object.entries({
    exec: refused("it runs a program"),
    initcol: kept,
    setsid: kept,
    setuid: kept,
    setrsc: kept,
    expirevar: kept,
    deprecatevar: kept,
    setenv: refused("it changes nginx's process, and with it requests of all others"),
    proxy: refused("it sends requests elsewhere", "a path of the Ingress"),
    pause: refused("a worker of nginx would stand still"),
    append: old,
    prepend: old,
  }),
)

/** What a request may be told by `ctl`: each is about that request alone. */
const controls = new Set([
  ...["auditengine", "auditlogparts", "forcerequestbodyvariable", "parsexmlintoargs", "requestbodyaccess"],
  ...["requestbodyprocessor", "responsebodyaccess", "ruleengine", "ruleremovebyid", "ruleremovebymsg"],
  ...["ruleremovebytag", "ruleremovetargetbyid", "ruleremovetargetbymsg", "ruleremovetargetbytag"],
])

/** Wherever it stands, whatever libmodsecurity takes for the end of the text before it. */
const hidden = /(?:^|[,\s"'`])(exec|initcol|setenv|setsid|setuid|setrsc)\s*:/i

/** @param text the actions of a rule, separated by commas */
export function actionsFault(text: string): Verdict {
  for (const action of actionsIn(text)) {
    const fault = actionFault(action)
    if (fault !== undefined) return fault
  }
  const [, name] = hidden.exec(text) ?? []
  return name === undefined ? undefined : about(name, refusals.get(name.toLowerCase()) ?? old)
}

/** Commas in single quotes separate nothing. */
export function actionsIn(text: string): readonly string[] {
  const actions = text.match(/(?:'(?:[^'\\]|\\.)*'|[^,])+/g) ?? []
  return actions.map((action) => action.trim()).filter((action) => action !== "")
}

function actionFault(action: string): Verdict {
  const [, written = "", value = ""] = /^([^:=\s]*)\s*:?\s*(.*)$/s.exec(action) ?? []
  const name = written.toLowerCase()
  if (name === "ctl") return controlFault(value)
  if (name === "setvar") return variableFault(value)
  if (allowed.has(name)) return undefined
  return about(written, refusals.get(name) ?? refused("it is no action of libmodsecurity's"))
}

function controlFault(value: string): Verdict {
  const [, name = ""] = /^'?\s*(\w*)/.exec(value) ?? []
  if (controls.has(name.toLowerCase())) return undefined
  return about(`ctl:${name}`, refused("a rule cannot say that of a request"))
}

/** Variables of the transaction are those of the request. */
function variableFault(value: string): Verdict {
  const [, name = ""] = /^['"`]?\s*!?\s*([^=]*)/.exec(value) ?? []
  if (!/^tx\./i.test(name)) return about(`setvar:${name.slice(0, 40)}`, kept)
  return /^tx\.enable_default_collections/i.test(name)
    ? about("setvar:tx.enable_default_collections", kept)
    : undefined
}

function about(name: string, { reason, instead }: Refused): Refused {
  return refused(`action ${shown(name)}: ${reason}`, instead)
}
