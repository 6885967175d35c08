// The rules of a run: text and files, in the order in which libmodsecurity reads them. The first that says a setting has it.
import type { RulePart } from "../ingress/waf.ts"
import { type CoreRuleSet, coreRules, recommendedRules } from "../modsecurity.ts"

/**
 * As the project sets its own runs up: all rules up to paranoia level 4 speak, nothing is blocked, and limits are those that its tests are about.
 *
 * @see https://github.com/coreruleset/coreruleset, tests/docker-compose.yml
 */
export function detectingRules(version: CoreRuleSet): RulePart[] {
  const limits = [
    "max_num_args=255",
    "arg_name_length=100",
    "arg_length=400",
    "total_arg_length=6400",
    "max_file_size=64100",
    "combined_file_sizes=65535",
  ]
  const settings = [
    "blocking_paranoia_level=4",
    "crs_validate_utf8_encoding=1",
    "reporting_level=4",
    ...limits,
  ]
  const types = "SecResponseBodyMimeType text/plain text/html text/xml application/json"
  return [
    { text: `SecAuditEngine Off\n${types}\n${action(settings)}\n` },
    { file: recommendedRules() },
    { file: coreRules(version) },
  ]
}

/** As somebody sets it up who wants attacks blocked and has read no further: paranoia level 1. */
export function blockingRules(version: CoreRuleSet): RulePart[] {
  return [
    { text: "SecAuditEngine Off\nSecRuleEngine On\n" },
    { file: recommendedRules() },
    { file: coreRules(version) },
  ]
}

const action = (settings: readonly string[]) =>
  `SecAction "id:1000,phase:1,pass,nolog,t:none,${settings.map((setting) => `setvar:tx.${setting}`).join(",")}"`
