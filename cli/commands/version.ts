import { findInstallation } from "../../controller/output/nginx/installation.ts"
import { nginxVersion } from "../../controller/output/nginx/version.ts"
import { Failure } from "../../controller/support/failure.ts"
import type { Command, Place } from "./command.ts"
import { writeJson } from "./terminal.ts"

export const version: Command = {
  name: "version",
  description: [
    "Prints the version of this wick, the commit that it was built from, and the version of the nginx that it would start.",
  ],
  async run({ json }, terminal, place) {
    if (json) writeJson(terminal, await versionsOf(place))
    else terminal.write(await versionText(place))
  },
}

type Built = Pick<Place, "release" | "commit">

/** What `--version` prints: `wick 1.2.3 (commit 0123abc, nginx 1.26.3)`. */
export async function versionText(built: Built): Promise<string> {
  const { wick, commit, nginx = "not installed" } = await versionsOf(built)
  return `wick ${wick} (${commit === undefined ? "" : `commit ${commit}, `}nginx ${nginx})\n`
}

async function versionsOf({ release, commit }: Built) {
  const nginx = await installedNginx()
  return { wick: release, ...(commit !== "" && { commit }), ...(nginx !== undefined && { nginx }) }
}

async function installedNginx(): Promise<string | undefined> {
  try {
    const places = { nginx: "", module: "", balancer: "", enableSslPassthrough: false }
    const { nginx } = await findInstallation(places)
    return (await nginxVersion(nginx)).join(".")
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
