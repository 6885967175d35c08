// deploy/static: what the chart makes of the values files there, for those who do not use Helm.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../harness/paths.ts"
import { chart, helmBinary } from "./helm.ts"

/** Everything that installs it; or the ServiceAccount and its rights alone, for a controller that runs elsewhere. */
type Part = "all" | "rights"

interface Manifest {
  /** the namespace's name as well */
  readonly release: string
  readonly part: Part
}

/** By the name of the file. The first three are named as ingress-nginx's manifests, and take their place. */
export const manifests: Readonly<Record<string, Manifest>> = {
  "cloud.yaml": { release: "ingress-nginx", part: "all" },
  "bare-metal.yaml": { release: "ingress-nginx", part: "all" },
  "kind.yaml": { release: "ingress-nginx", part: "all" },
  "rbac.yaml": { release: "wick", part: "rights" },
  "rbac-namespaced.yaml": { release: "wick", part: "rights" },
}

const rights = [
  "controller-serviceaccount",
  "clusterrole",
  "clusterrolebinding",
  "controller-role",
  "controller-rolebinding",
]

/** Text of a manifest: the comment of its values file, the namespace, and what Helm prints without what only Helm needs. */
export function printManifest(name: string, { release, part }: Manifest): string {
  const values = join(root, "deploy/static/values", name)
  const printed = execFileSync(
    helmBinary,
    ["template", release, chart, "--namespace", release, "--values", values],
    {
      encoding: "utf8",
    },
  )
  const isWanted = (document: string) =>
    part === "all" || rights.some((file) => document.includes(`/${file}.yaml\n`))
  const documents = printed
    .split(/^---\n/m)
    .filter((document) => document.trim() !== "" && isWanted(document))
  const namespace = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${release}\n`
  return `${commentOf(values)}# Printed from deploy/chart with deploy/static/values/${name}: test/chart/run.sh static -u\n${[namespace, ...documents.map(plain)].join("---\n")}`
}

function commentOf(values: string): string {
  return /^(#.*\n)*/.exec(readFileSync(values, "utf8"))?.[0] ?? ""
}

function plain(document: string): string {
  const own = /^(# Source: .*| +"?(helm\.sh\/[\w-]+|app\.kubernetes\.io\/managed-by)"?: .*)\n/gm
  const emptied = /^( *)annotations:\n(?!\1 )/gm
  return `${document.replaceAll(own, "").replaceAll(emptied, "").trim()}\n`
}
