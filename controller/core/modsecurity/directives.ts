import { actionsFault } from "./actions.ts"
import { operatorFault } from "./operators.ts"
import type { Word } from "./statement.ts"
import { refused, type Verdict } from "./verdict.ts"

// Every directive of libmodsecurity 3: what its words may be, or why users may not have it. What is in neither table is refused.

/** A directive that users may have. */
interface Directive {
  readonly name: string
  /** it says how all rules of the set work, wherever it stands; what says it first counts */
  readonly isSetting: boolean
  readonly judge: (words: readonly Word[]) => Verdict
}

export const maxRequestBytes = 128 * 1024 ** 2
export const maxResponseBytes = 16 * 1024 ** 2
export const maxPcreMatches = 100_000

/** A setting of one word. @param example what may be written */
function setting(name: string, pattern: RegExp, example: string): Directive {
  return {
    name,
    isSetting: true,
    judge: ([word, ...more]) =>
      word !== undefined && more.length === 0 && pattern.test(word.text)
        ? undefined
        : refused(`its value cannot be used`, example),
  }
}

function onOff(name: string): Directive {
  return setting(name, /^(on|off)$/i, "On or Off")
}

/** @param why the number has an end */
function upTo(name: string, max: number, why: string): Directive {
  return {
    name,
    isSetting: true,
    judge: ([word, ...more]) => {
      if (word === undefined || more.length > 0 || !/^\d{1,12}$/.test(word.text))
        return refused("its value cannot be used", "a whole number")
      return Number(word.text) <= max ? undefined : refused(`${why}`, `at most ${max}`)
    },
  }
}

const memory = "each request would take that much of nginx's memory"
const processor = "one request could keep a worker of nginx from all others"

/** Rules, and what changes rules. */
function rule(name: string, judge: Directive["judge"]): Directive {
  return { name, isSetting: false, judge }
}

function actionsOf(at: number): Directive["judge"] {
  return (words) =>
    words.length === at + 1
      ? actionsFault(words[at]?.text ?? "")
      : refused(`it has ${at + 1} words`, "actions in quotation marks")
}

function ruleFault(words: readonly Word[]): Verdict {
  const [variables, operator, actions] = words
  if (variables === undefined || operator === undefined || words.length > 3)
    return refused(
      "it has two or three words",
      "variables, an operator and actions, the last two in quotation marks",
    )
  return variablesFault(variables.text) ?? operatorFault(operator.text) ?? actionsFault(actions?.text ?? "")
}

/** Variables are separated by bars, and may be taken out or counted. */
function variablesFault(text: string): Verdict {
  const names = text.split(/[|,\s]/).map((one) => /^['"!&]*(\w*)/.exec(one)?.[1]?.toLowerCase())
  return names.includes("env") ? environment : undefined
}

const environment = refused("it reads the environment of nginx's process")

/** What is removed or left out of other rules: ids, tags, words of messages, variables. */
const selection: Directive["judge"] = (words) =>
  words.length === 0
    ? refused("it says nothing", "ids, or a text")
    : variablesFault(words.map(({ text }) => text).join(" "))

const all: readonly Directive[] = [
  rule("SecRule", ruleFault),
  rule("SecAction", actionsOf(0)),
  rule("SecDefaultAction", actionsOf(0)),
  rule("SecMarker", ([word, ...more]) =>
    word === undefined || more.length > 0 ? refused("it has one word", "a name") : undefined,
  ),
  rule("SecRuleRemoveById", selection),
  rule("SecRuleRemoveByMsg", selection),
  rule("SecRuleRemoveByTag", selection),
  rule("SecRuleUpdateActionById", actionsOf(1)),
  rule("SecRuleUpdateTargetById", selection),
  rule("SecRuleUpdateTargetByMsg", selection),
  rule("SecRuleUpdateTargetByTag", selection),
  setting("SecRuleEngine", /^(on|off|detectiononly)$/i, "On, Off or DetectionOnly"),
  setting("SecAuditEngine", /^(on|off|relevantonly)$/i, "On, Off or RelevantOnly"),
  setting("SecAuditLogParts", /^[A-KZ]{1,16}$/i, "letters of parts, as in ABIJDEFHZ"),
  setting("SecAuditLogRelevantStatus", /^.{1,256}$/, "a pattern of statuses"),
  onOff("SecRequestBodyAccess"),
  onOff("SecResponseBodyAccess"),
  upTo("SecRequestBodyLimit", maxRequestBytes, memory),
  upTo("SecRequestBodyNoFilesLimit", maxRequestBytes, memory),
  upTo("SecRequestBodyInMemoryLimit", maxRequestBytes, memory),
  upTo("SecRequestBodyJsonDepthLimit", 10_000, processor),
  upTo("SecResponseBodyLimit", maxResponseBytes, memory),
  upTo("SecArgumentsLimit", 100_000, processor),
  upTo("SecPcreMatchLimit", maxPcreMatches, processor),
  upTo("SecPcreMatchLimitRecursion", maxPcreMatches, processor),
  upTo("SecUploadFileLimit", 1_000, processor),
  setting("SecRequestBodyLimitAction", /^(reject|processpartial)$/i, "Reject or ProcessPartial"),
  setting("SecResponseBodyLimitAction", /^(reject|processpartial)$/i, "Reject or ProcessPartial"),
  {
    name: "SecResponseBodyMimeType",
    isSetting: true,
    judge: (words) =>
      words.length > 0 && words.length <= 32 && words.every(({ text }) => /^[\w.+*/()-]{1,128}$/.test(text))
        ? undefined
        : refused("its value cannot be used", "types such as text/html"),
  },
  {
    name: "SecResponseBodyMimeTypesClear",
    isSetting: true,
    judge: (words) => (words.length === 0 ? undefined : refused("it has no words")),
  },
  setting("SecArgumentSeparator", /^[&;]$/, "& or ;"),
  setting("SecCookieFormat", /^[01]$/, "0 or 1"),
  setting(
    "SecXmlExternalEntity",
    /^off$/i,
    "Off: documents would name files and addresses that nginx then reads",
  ),
  setting("SecParseXmlIntoArgs", /^(on|off|onlyargs)$/i, "On, Off or OnlyArgs"),
  setting("SecStatusEngine", /^off$/i, "Off: it tells others of the installation"),
  rule("SecComponentSignature", ([word, ...more]) =>
    word === undefined || more.length > 0 ? refused("it has one word", "a name") : undefined,
  ),
]

const allowed: ReadonlyMap<string, Directive> = new Map(all.map((row) => [row.name.toLowerCase(), row]))

const path = refused("it names a place on the disk of nginx")
const audit = refused("where the audit log is, the operator says", 'ConfigMap key "modsecurity-audit-log"')
const debug = refused(
  "it writes all of each request into a file",
  "ctl:auditEngine=On in a rule, and the audit log",
)
const shared = refused("it is about what all Ingresses would share")
const absent = refused("libmodsecurity has no such thing")
const old = refused("libmodsecurity 3 does nothing for it", "nothing")

/** For the reference as well: why users may not have them, by the name in lower case. */
export const refusedDirectives: ReadonlyMap<string, NonNullable<Verdict>> = new Map(
  Object.entries({
    secauditlog: audit,
    secauditlog2: audit,
    secauditlogdirmode: audit,
    secauditlogfilemode: audit,
    secauditlogformat: audit,
    secauditlogprefix: audit,
    secauditlogstoragedir: audit,
    secauditlogtype: audit,
    secdebuglog: debug,
    secdebugloglevel: debug,
    secremoterules: refused(
      "it fetches rules from another machine",
      'a ConfigMap, by "wick.dev/modsecurity-rules"',
    ),
    secremoterulesfailaction: refused("rules are fetched from nowhere"),
    secrulescript: refused("it runs Lua, which may do anything that nginx may"),
    secuploaddir: path,
    secuploadfilemode: path,
    secuploadkeepfiles: path,
    sectmpdir: path,
    sectmpsaveuploadedfiles: path,
    secdatadir: path,
    secunicodemapfile: refused(
      "it names a file of nginx's machine",
      "Include /etc/nginx/modsecurity/modsecurity.conf, which has it",
    ),
    secgeolookupdb: path,
    secgsblookupdb: path,
    secguardianlog: refused("it runs a program, or writes a file"),
    secchrootdir: path,
    seccollectiontimeout: shared,
    secwebappid: shared,
    secsensorid: shared,
    sechttpblkey: refused("it asks a service of others by DNS"),
    secserversignature: refused("it changes what nginx says of itself", 'ConfigMap key "server-tokens"'),
    secruleperftime: shared,
    secruleinheritance: refused(
      "rules of the ConfigMap hold for every Ingress",
      '"enable-modsecurity: false"',
    ),
    seccontentinjection: absent,
    sechashengine: absent,
    sechashkey: absent,
    sechashparam: absent,
    sechashmethodrx: absent,
    sechashmethodpm: absent,
    secdisablebackendcompression: old,
    seccachetransformations: old,
    seccookiev0separator: old,
    secstreaminbodyinspection: old,
    secstreamoutbodyinspection: old,
    secinterceptonerror: old,
    secconnengine: old,
    secconnreadstatelimit: old,
    secconnwritestatelimit: old,
    secreadstatelimit: old,
    secwritestatelimit: old,
    includeoptional: refused("it reads a file of nginx's machine", "what stands in that file"),
  }),
)

/** What is wrong with a directive, and whether it is a setting. */
export interface Judged {
  readonly fault: Verdict
  readonly isSetting: boolean
}

export function judge(name: string, words: readonly Word[]): Judged {
  const known = allowed.get(name.toLowerCase())
  if (known === undefined)
    return {
      fault: refusedDirectives.get(name.toLowerCase()) ?? refused("it is no directive of ModSecurity's"),
      isSetting: false,
    }
  const readsEnvironment = words.some(({ text }) => /%\{\s*ENV\b/i.test(text))
  return { fault: readsEnvironment ? environment : known.judge(words), isSetting: known.isSetting }
}

/** For the reference: those that users may have. */
export const directiveNames: readonly string[] = all.map(({ name }) => name)
