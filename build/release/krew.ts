// The manifest of the kubectl plugin for https://krew.sigs.k8s.io: krew.ts VERSION ARCHIVE prints it, with the checksum of the archive.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { stringify } from "yaml"

/** Where the project is. */
export const project = "https://github.com/wick-dev/wick"

export function krewManifest(version: string, archive: Uint8Array): string {
  return stringify({
    apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
    kind: "Plugin",
    metadata: { name: "wick" },
    spec: {
      version: `v${version}`,
      homepage: project,
      shortDescription: "Asks wick, an ingress controller, what it serves and why",
      description:
        "Runs wick's commands in a running Pod: explain (which route a request takes, and why), routes, backends, certificates, top, conf, " +
        "logs of the leader, and a page in a browser. With wick on the PATH also lint, diff and convert, which read a cluster with your rights.",
      caveats: "The Pod is looked for in the namespace ingress-nginx: -n names another one.",
      platforms: [platform(version, createHash("sha256").update(archive).digest("hex"))],
    },
  })
}

/** A shell script. */
function platform(version: string, sha256: string) {
  return {
    selector: { matchExpressions: [{ key: "os", operator: "In", values: ["linux", "darwin"] }] },
    uri: `${project}/releases/download/v${version}/kubectl-wick.tar.gz`,
    sha256,
    bin: "kubectl-wick",
    files: ["kubectl-wick", "LICENSE"].map((from) => ({ from, to: "." })),
  }
}

if (import.meta.main) {
  const [version = "", archive = ""] = process.argv.slice(2)
  process.stdout.write(krewManifest(version, readFileSync(archive)))
}
