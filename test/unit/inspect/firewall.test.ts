import { expect, test } from "vitest"
import { firewallNotes, firewallOf, rulesNoteFor } from "../../../controller/inspect/firewall.ts"
import { routeNotes } from "../../../controller/inspect/notes.ts"
import type { RuleSetPart } from "../../../controller/model/rule-set.ts"

const waf = { owner: "shop/app", rules: "0123456789abcdef".repeat(4) }
const first: RuleSetPart = { text: "SecAuditEngine Off\n\n" }
const last: RuleSetPart = { text: "SecPcreMatchLimit 100000\n\n" }
const recommended: RuleSetPart = { file: "/etc/wick/modsecurity/recommended.conf" }
const crs: RuleSetPart = { file: "/etc/wick/modsecurity/crs-4.25.0/nginx-modsecurity.conf" }

test.each<[string, readonly RuleSetPart[] | undefined, readonly string[]]>([
  ["the recommended rules", [recommended], ["only reports (SecRuleEngine DetectionOnly)"]],
  [
    "own rules that come before them, and the Core Rule Set",
    [{ text: "SecRuleEngine On\n\nSecMarker A\n\n" }, recommended, crs],
    ["on: what rules deny is refused", "OWASP Core Rule Set 4.25.0", "2 own directives"],
  ],
  [
    "rules that switch themselves off",
    [{ text: 'SecRuleEngine "Off"\n\n' }],
    ["off (SecRuleEngine Off)", "1 own directive"],
  ],
  ["rules that nobody switched on", [crs], ["off: no rules say SecRuleEngine", "OWASP Core Rule Set 4.25.0"]],
])("%s", (_, parts, notes) => {
  const found = firewallOf(waf, parts && [first, ...parts, last])
  expect(firewallNotes(found)).toEqual([...notes, "rules 0123456789ab"])
})

test("rules that cannot be read are named", () => {
  expect(firewallNotes(firewallOf(waf, undefined))).toEqual(["rules 0123456789ab are not on this machine"])
})

test("routes have it in a line, and each set is read once", async () => {
  const route = { path: "/", match: "prefix", location: "l", backend: "b" } as const
  const read: string[] = []
  const note = await rulesNoteFor(
    [{ routes: [route, { ...route, waf }, { ...route, waf }] }],
    async (digest) => {
      read.push(digest)
      return [first, recommended, crs, last]
    },
  )
  expect(routeNotes({ ...route, waf }, note)).toEqual([
    "ModSecurity only reports (SecRuleEngine DetectionOnly), OWASP Core Rule Set 4.25.0, rules 0123456789ab",
  ])
  expect(read).toEqual([waf.rules])
  expect(routeNotes({ ...route, waf })).toEqual(["rules of ModSecurity 0123456789ab"])
})
