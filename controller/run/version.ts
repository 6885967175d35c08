import { findInstallation } from "../output/nginx/installation.ts"
import { nginxVersion } from "../output/nginx/version.ts"
import { Failure } from "../support/failure.ts"

/** What `--version` prints: `wick 1.2.3 (commit 0123abc, nginx 1.26.3)`. @param commit "" when it was not built from one */
export async function versionText(version: string, commit: string): Promise<string> {
  const built = commit === "" ? "" : `commit ${commit}, `
  return `wick ${version} (${built}nginx ${await installedNginx()})\n`
}

async function installedNginx(): Promise<string> {
  try {
    const places = { nginx: "", module: "", balancer: "", enableSslPassthrough: false }
    const { nginx } = await findInstallation(places)
    return (await nginxVersion(nginx)).join(".")
  } catch (error) {
    if (error instanceof Failure) return "not installed"
    throw error
  }
}
