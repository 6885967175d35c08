import { describe, expect, test } from "vitest"
import { directiveNames, refusedDirectives } from "../../../../controller/core/modsecurity/directives.ts"
import { faultText } from "../../../../controller/core/modsecurity/fault-text.ts"
import { readRules } from "../../../../controller/core/modsecurity/read-rules.ts"
import { printed } from "../../../../controller/core/modsecurity/statement.ts"

function faults(text: string): readonly string[] {
  const read = readRules(text)
  return read.kind === "refused" ? read.faults.map(faultText) : []
}

function pieces(text: string): readonly string[] {
  const read = readRules(text)
  if (read.kind === "refused") throw new Error(read.faults.map(faultText).join("; "))
  return read.pieces.map((piece) =>
    "file" in piece ? `<${piece.file}>` : printed(piece.statements).replaceAll("\n\n", "\n").trim(),
  )
}

/** A good use of each directive that users may have. */
const good: Readonly<Record<string, readonly string[]>> = {
  SecRule: [
    'SecRule ARGS "@detectSQLi" "id:1,phase:2,deny,status:403,log,msg:\'a, b\',t:none,t:lowercase"',
    'SecRule REQUEST_URI "^/admin" "id:2,chain,deny"',
    'SecRule &ARGS "!@eq 0"',
    'SecRule REQUEST_HEADERS:ENV "@rx a" "id:3,pass,setvar:tx.score=+5,setvar:\'tx.x=%{MATCHED_VAR}\',ctl:ruleRemoveById=949110"',
    'SecRule ARGS "a" "id:4,msg:`Failed: %{ARGS}.`,ctl:ruleRemoveTargetById=942100;ARGS:q,skipAfter:END"',
  ],
  SecAction: ['SecAction "id:900110,phase:1,nolog,pass,t:none,setvar:tx.inbound_anomaly_score_threshold=16"'],
  SecDefaultAction: ['SecDefaultAction "phase:2,pass,log,tag:github_team=shop"'],
  SecMarker: ["SecMarker END-CHECKS"],
  SecRuleRemoveById: ["SecRuleRemoveById 920120 949110-949120"],
  SecRuleRemoveByMsg: ['SecRuleRemoveByMsg "FAIL"'],
  SecRuleRemoveByTag: ["SecRuleRemoveByTag attack-xss"],
  SecRuleUpdateActionById: ['SecRuleUpdateActionById 949110 "t:none,deny,status:423,logdata:%{SERVER_NAME}"'],
  SecRuleUpdateTargetById: ['SecRuleUpdateTargetById 942100 "!ARGS:q"'],
  SecRuleUpdateTargetByMsg: ['SecRuleUpdateTargetByMsg "a" "!ARGS:q"'],
  SecRuleUpdateTargetByTag: ["SecRuleUpdateTargetByTag attack-sqli !REQUEST_COOKIES:session"],
  SecRuleEngine: ["SecRuleEngine On", "secruleengine DetectionOnly", 'SecRuleEngine "Off"'],
  SecAuditEngine: ["SecAuditEngine RelevantOnly"],
  SecAuditLogParts: ["SecAuditLogParts ABIJDEFHZ"],
  SecAuditLogRelevantStatus: ['SecAuditLogRelevantStatus "^(?:5|4(?!04))"'],
  SecRequestBodyAccess: ["SecRequestBodyAccess On"],
  SecResponseBodyAccess: ["SecResponseBodyAccess Off"],
  SecRequestBodyLimit: ["SecRequestBodyLimit 29360128"],
  SecRequestBodyNoFilesLimit: ["SecRequestBodyNoFilesLimit 131072"],
  SecRequestBodyInMemoryLimit: ["SecRequestBodyInMemoryLimit 131072"],
  SecRequestBodyJsonDepthLimit: ["SecRequestBodyJsonDepthLimit 512"],
  SecResponseBodyLimit: ["SecResponseBodyLimit 524288"],
  SecArgumentsLimit: ["SecArgumentsLimit 1000"],
  SecPcreMatchLimit: ["SecPcreMatchLimit 1000"],
  SecPcreMatchLimitRecursion: ["SecPcreMatchLimitRecursion 1000"],
  SecUploadFileLimit: ["SecUploadFileLimit 10"],
  SecRequestBodyLimitAction: ["SecRequestBodyLimitAction Reject"],
  SecResponseBodyLimitAction: ["SecResponseBodyLimitAction ProcessPartial"],
  SecResponseBodyMimeType: ["SecResponseBodyMimeType text/plain text/html"],
  SecResponseBodyMimeTypesClear: ["SecResponseBodyMimeTypesClear"],
  SecArgumentSeparator: ["SecArgumentSeparator &"],
  SecCookieFormat: ["SecCookieFormat 0"],
  SecXmlExternalEntity: ["SecXmlExternalEntity Off"],
  SecParseXmlIntoArgs: ["SecParseXmlIntoArgs On"],
  SecStatusEngine: ["SecStatusEngine Off"],
  SecComponentSignature: ['SecComponentSignature "shop/1"'],
}

describe("directives", () => {
  test("that users may have each have a good use here", () => {
    expect(Object.keys(good).sort()).toEqual([...directiveNames].sort())
  })

  test.each(Object.values(good).flat())("taken: %s", (text) => {
    expect(pieces(text)).toEqual([text])
  })

  test.each([...refusedDirectives])("refused with a reason, in any case: %s", (name, { reason }) => {
    expect(faults(`${name.toUpperCase()} /tmp/x`)).toEqual([expect.stringContaining(reason)])
  })

  test.each([
    ["SecRuleEngine Maybe", "its value cannot be used; write On, Off or DetectionOnly"],
    ["SecRuleEngine On Off", "its value cannot be used"],
    ["SecRuleEngine", "its value cannot be used"],
    ["SecRequestBodyLimit 1g", "its value cannot be used; write a whole number"],
    [
      "SecRequestBodyLimit 134217729",
      "each request would take that much of nginx's memory; write at most 134217728",
    ],
    ["SecResponseBodyLimit 16777217", "at most 16777216"],
    ["SecPcreMatchLimit 100001", "one request could keep a worker of nginx from all others"],
    ["SecXmlExternalEntity On", "documents would name files"],
    ["SecStatusEngine On", "it tells others"],
    ["SecRule ARGS", "it has two or three words"],
    ['SecRule ARGS "a" "id:1" "b"', "it has two or three words"],
    ["SecAction", "it has 1 words"],
    ['SecRule ENV:SECRET "a" "id:1,log"', "it reads the environment"],
    ['SecRule "ARGS|!&ENV" "a" "id:1,log"', "it reads the environment"],
    ['SecRule ARGS "a" "id:1,redirect:\'https://x.test/%{ENV.SECRET}\'"', "it reads the environment"],
    ["SecRuleUpdateTargetById 1 ENV:SECRET", "it reads the environment"],
    ["SecRuleRemoveById", "it says nothing"],
    ['SecRule ARGS "(a" "id:1"', "its pattern is none: a bracket has no end"],
    ['SecRule ARGS "!@rx [a" "id:1"', "its pattern is none: a class of characters has no end"],
    ["SecNoSuch On", '"SecNoSuch": it is no directive of ModSecurity'],
    ["location /x { }", "it is no directive of ModSecurity"],
  ])("refused: %s", (text, reason) => {
    expect(faults(text)).toEqual([expect.stringContaining(reason)])
  })
})

describe("operators", () => {
  test.each([
    ...[
      "beginsWith /a",
      "contains a",
      "containsWord a",
      "detectSQLi",
      "detectXSS",
      "endsWith a",
      "eq 1",
      "ge 1",
    ],
    ...["gt 1", "ipMatch 10.0.0.0/8", "le 1", "lt 1", "noMatch", "pm a b", "rx a", "rxGlobal a", "streq a"],
    ...["strmatch a", "unconditionalMatch", "validateByteRange 1-255", "validateUrlEncoding"],
    ...["validateUtf8Encoding", "verifyCC a", "verifyCPF a", "verifySSN a", "verifySVNR a", "within a b"],
  ])("taken: @%s", (operator) => {
    const text = `SecRule ARGS "!@${operator}" "id:1,pass"`
    expect(pieces(text)).toEqual([text])
  })

  test.each([
    ...[
      "pmFromFile /etc/passwd",
      "PMF /etc/passwd",
      "ipMatchFromFile https://x.test/list",
      "ipMatchF /etc/hosts",
    ],
    ...["inspectFile /bin/sh", "fuzzyHash /etc/x 1", "gsbLookup /x", "geoLookup", "rbl sbl.example.test"],
    ...["rsub s/a/b/", "validateDTD /etc/x.dtd", "validateSchema /etc/x.xsd", "validateHash a"],
  ])("refused: @%s", (operator) => {
    const [name] = operator.split(" ")
    for (const text of [`@${operator}`, `!@${operator}`, ` ! @${operator}`])
      expect(faults(`SecRule ARGS "${text}" "id:1,pass"`)).toEqual([
        expect.stringContaining(`operator @${name}`),
      ])
  })
})

describe("actions", () => {
  test.each([
    ...[
      "exec:/tmp/x.lua",
      "EXEC:/tmp/x",
      "initcol:ip=%{REMOTE_ADDR}",
      "setsid:%{ARGS.a}",
      "setuid:%{ARGS.a}",
    ],
    ...[
      "setrsc:a",
      "setenv:LD_PRELOAD=x",
      "expirevar:ip.a=60",
      "deprecatevar:ip.a=1/60",
      "proxy:http://x.test",
    ],
    ...["pause:5000", "append:x", "prepend:x", "setvar:ip.a=1", "setvar:global.a=1", "setvar:%{ARGS.a}=1"],
    ...["setvar:!session.a", "setvar:tx.enable_default_collections=1", "ctl:debugLogLevel=9"],
    ...["ctl:requestBodyLimit=9999999999", "noSuch"],
  ])("refused: %s", (action) => {
    for (const actions of [`id:1,${action}`, `id:1, ${action}`, `${action},id:1`]) {
      const named = expect.stringMatching(/action ".*": /)
      expect(faults(`SecRule ARGS "a" "${actions}"`)).toEqual([named])
      expect(faults(`SecAction "${actions}"`)).toEqual([named])
      expect(faults(`SecDefaultAction "phase:1,${actions}"`)).toEqual([named])
      expect(faults(`SecRuleUpdateActionById 1 "${actions}"`)).toEqual([named])
    }
  })

  test.each([
    "id:1,msg:'a',exec:/tmp/x",
    "id:1,msg:'a\\',exec:/tmp/x,tag:'b'",
    "id:1,msg:a'b,exec:/tmp/x'",
  ])("wherever libmodsecurity thinks that a text ends: %s", (actions) => {
    expect(faults(`SecAction "${actions}"`)).not.toEqual([])
  })
})

describe("Include", () => {
  test("of the files that ingress-nginx has means what wick has in their place", () => {
    const text =
      'SecRuleEngine On\nSecAction "id:1,pass"\nInclude /etc/nginx/modsecurity/modsecurity.conf\nInclude /etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf\nSecRuleRemoveById 1'
    expect(pieces(text)).toEqual([
      'SecRuleEngine On\nSecAction "id:1,pass"',
      "<recommended>",
      "<crs>",
      "SecRuleRemoveById 1",
    ])
  })

  test("settings behind a file come before it: libmodsecurity takes what says one first", () => {
    const text = "Include /etc/nginx/modsecurity/modsecurity.conf\nSecRuleEngine On"
    expect(pieces(text)).toEqual(["SecRuleEngine On", "<recommended>"])
  })

  test.each([
    "/etc/passwd",
    "/etc/nginx/*.conf",
    "https://x.test/rules",
    "/etc/nginx/modsecurity/../x",
    "constructor",
    "",
  ])("of another is refused: %s", (path) => {
    expect(faults(`Include ${path}`)).toEqual([expect.stringContaining('"Include": it reads a file')])
  })
})

test("of a setting the last one counts, as in one file; types of bodies add up", () => {
  expect(pieces("SecRuleEngine On\nSecRuleEngine Off")).toEqual(["SecRuleEngine Off"])
  const types = "SecResponseBodyMimeType text/plain\nSecResponseBodyMimeType text/html"
  expect(pieces(types)).toEqual([types])
})

test("every fault of a text is told, with its line", () => {
  expect(faults("SecRuleScript x.lua\n\n# fine\nSecRuleEngine On\nSecTmpDir /tmp")).toEqual([
    expect.stringMatching(/^in line 1, "SecRuleScript"/),
    expect.stringMatching(/^in line 5, "SecTmpDir"/),
  ])
})

describe("an id that two rules have", () => {
  const rule = (id: string, more = "") => `SecRule ARGS "@rx a" "phase:1,${id},pass${more}"`

  test("is refused, with both lines, as libmodsecurity does, which does not say which", () => {
    expect(faults(`${rule("id:7")}\n${rule("id:8")}\n${rule("id:'7'")}`)).toEqual([
      expect.stringMatching(/^in line 3, "SecRule": the rule in line 1 has the id 7, too/),
    ])
    expect(faults(`${rule("id:7")}\n${rule("id:8,id:7")}`)).toHaveLength(1)
  })

  test.each([
    ["a SecAction", `${rule("id:7")}\nSecAction "id:7,phase:1,pass"\nSecAction "id:7,phase:1,pass"`],
    ["the rest of a chain", `${rule("id:7", ",chain")}\n${rule("id:7")}\n${rule("id:8")}`],
    ["a text of one", `${rule("id:7")}\n${rule("id:8", ",msg:'id:7'")}`],
  ])("is fine where libmodsecurity takes it: in %s", (_, text) => {
    expect(faults(text)).toEqual([])
  })
})

test("a text that ends in the midst of a statement is refused", () => {
  expect(faults("SecRuleEngine On\nSecMarker END\\")).toEqual([
    expect.stringMatching(/^in line 2, its last line goes on, and there is none/),
  ])
})

test("a message repeats little of a text, in one line", () => {
  const long = "x".repeat(5000)
  for (const text of [
    `SecAction "${long}"`,
    `SecRule ARGS "@${long} a" "id:1"`,
    `Sec${long}`,
    `Include ${long}`,
  ])
    for (const fault of faults(text)) expect(fault.length).toBeLessThan(400)
  expect(faults('SecRule ARGS "@constructor a" "id:1"')).toEqual([
    expect.stringContaining('operator "@constructor": it is no operator of libmodsecurity'),
  ])
  expect(faults('SecAction "constructor"')).toEqual([
    expect.stringContaining('action "constructor": it is no action of libmodsecurity'),
  ])
  expect(faults("constructor a")).toEqual([expect.stringContaining("it is no directive of ModSecurity's")])
})

test("a text is no larger than it may be", () => {
  expect(faults("#".repeat(262_145))).toEqual([expect.stringContaining("more than 262144 bytes")])
  expect(faults("SecMarker A\n".repeat(2001))).toEqual([expect.stringContaining("more than 2000 directives")])
})

test("nothing at all is no rules", () => {
  expect(readRules(" \n# nothing\n")).toEqual({ kind: "rules", pieces: [] })
})
