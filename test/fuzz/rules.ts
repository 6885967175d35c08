// Rules of ModSecurity, damaged, through their reader: `build/node test/fuzz/rules.ts SECONDS [SEED]`. They begin as those of the Core Rule Set and
// as what users write. A finding is an exception, a text that is taken and says something else when it is read again, one with a directive, operator or
// action in it that users may not have, a message that could forge lines of a log, or a text that takes long.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { directiveNames, refusedDirectives } from "../../controller/core/modsecurity/directives.ts"
import { faultText } from "../../controller/core/modsecurity/fault-text.ts"
import { type Piece, readRules } from "../../controller/core/modsecurity/read-rules.ts"
import { printed, type Statement } from "../../controller/core/modsecurity/statement.ts"
import { coreRules } from "../../harness/modsecurity.ts"
import { fuzzTexts } from "./support/texts.ts"

const allowed = new Set(directiveNames.map((name) => name.toLowerCase()))
const refused = [...refusedDirectives.keys()]
const users = [
  'SecRuleEngine On\nSecRule ARGS:q "@streq bad" "id:1001,phase:1,deny,status:403"',
  'SecRule REQUEST_URI "@beginsWith /a" \\\n  "id:1001,phase:1,pass,nolog,\\\n  ctl:ruleRemoveTargetById=942100;ARGS:q"',
  'SecRuleUpdateTargetById 942100 "!ARGS:q"\nSecAction "id:1002,phase:1,pass,setvar:\'tx.a=%{ARGS.a}\'"',
  'SecRule ARGS "a" "id:1,chain,deny"\n SecRule ARGS "b" "t:none"\n#SecRule ARGS "c" \\\n "id:2"\nSecMarker END',
  "Include /etc/nginx/modsecurity/modsecurity.conf\nSecResponseBodyMimeType text/html",
]

/** At which word each directive with actions has them. */
const actionsAt: Readonly<Record<string, number>> = {
  secrule: 2,
  secaction: 0,
  secdefaultaction: 0,
  secruleupdateactionbyid: 1,
}

await fuzzTexts({
  name: "rules",
  seeds: [...users, ...rulesOfCore()],
  pieces: [
    ...[
      ",",
      "\t",
      "\r\n",
      "\\\n",
      '\\"',
      "`",
      "!",
      "%{",
      "@rx ",
      "@pm ",
      "@pmFromFile ",
      "@inspectFile ",
      "@rbl ",
    ],
    ...[
      "exec:/x",
      "initcol:ip=a",
      "setvar:ip.a=1",
      "setvar:tx.a=1",
      "ctl:ruleEngine=Off",
      "ctl:",
      "id:1",
      "msg:'",
    ],
    ...["chain", "ENV:A", "%{ENV.A}", "Include /etc/passwd", ...refused],
  ],
  names: [...directiveNames, ...refused],
  lineEnd: "\n",
  check,
})

/** Each rule of the Core Rule Set, for itself. */
function rulesOfCore(): string[] {
  const folder = join(dirname(coreRules()), "rules")
  const files = readdirSync(folder).filter((name) => name.endsWith(".conf"))
  return files
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split(/\n\n+/))
    .filter((text) => /^Sec/.test(text))
}

/** @throws Error when it is a finding */
function check(text: string): void {
  const read = readRules(text)
  if (read.kind === "refused") {
    for (const fault of read.faults) checkMessage(faultText(fault))
    return
  }
  for (const piece of read.pieces) checkPiece(piece)
}

function checkMessage(message: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
  if (/[\u0000-\u001f\u007f]/.test(message)) throw new Error(`a message has control characters: ${message}`)
  if (message.length > 2000) throw new Error(`a message has ${message.length} characters`)
}

function checkPiece(piece: Piece): void {
  if ("file" in piece) return
  const text = printed(piece.statements)
  const again = readRules(text)
  const same = again.kind === "rules" && again.pieces.length === 1 && again.pieces[0]
  if (!same || "file" in same || printed(same.statements) !== text)
    throw new Error(`read again it says something else: ${text}`)
  for (const line of text.split("\n").filter(Boolean)) checkLine(line)
  for (const statement of piece.statements) checkStatement(statement)
}

/** What is looked for here is looked for anywhere, not where the reader looks for it. */
function checkLine(line: string): void {
  const [name = ""] = line.split(/\s/)
  if (!allowed.has(name.toLowerCase())) throw new Error(`a line begins with another directive: ${line}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
  if (/[\u0000-\u0008\u000a-\u001f\u007f]|\\$/.test(line)) throw new Error(`a line goes on: ${line}`)
}

function checkStatement({ name, words }: Statement): void {
  const actions = words[actionsAt[name.toLowerCase()] ?? words.length]?.text ?? ""
  const acts = /(?:^|[,\s"'`])(exec|initcol|setenv|setsid|setuid|setrsc)\s*:/i.exec(actions)
  const operator = name.toLowerCase() === "secrule" ? words[1]?.text : ""
  const asks = /^\s*!?\s*@(pmf|ipmatchf|inspect|rbl|fuzzy|gsb|geo|validate(?:dtd|schema))/i.exec(
    operator ?? "",
  )
  const found = acts ?? asks
  if (found) throw new Error(`${found[1]} is taken: ${name} ${words.map(({ text }) => text).join(" ")}`)
}
