// What build/modsecurity.sh has made: rules for libmodsecurity, and the regression tests of the OWASP Core Rule Set.
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { root, stockModulesDir } from "./paths.ts"

/** The versions of the OWASP Core Rule Set that are there, the default first. */
export const coreRuleSets = ["4.22.0", "4.25.0"] as const
export type CoreRuleSet = (typeof coreRuleSets)[number]

const made = (...path: string[]) => {
  const file = join(root, "out", ...path)
  if (!existsSync(file)) throw new Error(`${file} is missing: run build/modsecurity.sh, which says why`)
  return file
}

/** ModSecurity's recommended settings: it detects, and blocks nothing. */
export const recommendedRules = () => made("modsecurity", "recommended.conf")

/** The file that includes all rules of this version. */
export const coreRules = (version: CoreRuleSet = "4.22.0") =>
  made("modsecurity", `crs-${version}`, "nginx-modsecurity.conf")

/** The folder of its regression tests. */
export const coreRuleTests = (version: CoreRuleSet) => made("crs-tests", version)

/** Path of Debian's module that connects nginx with libmodsecurity; it is fetched when it is not there. */
export async function modsecurityConnector(): Promise<string> {
  await promisify(execFile)(join(root, "build/modsecurity-connector.sh"))
  return join(stockModulesDir, "ngx_http_modsecurity_module.so")
}
