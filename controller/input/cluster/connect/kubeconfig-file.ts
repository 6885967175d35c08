import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { parse } from "yaml"
import { isRecord } from "../../../model/objects/reader.ts"
import { Failure, reasonOf } from "../../../support/failure.ts"

// A kubeconfig file as client-node understands it: what it does not do as kubectl does is said here in words of which it does the same. Source:
// Kubernetes, "kubeconfig (v1)" and "client-go credential plugins"; client-node 2.0.1, config.js and exec_auth.js.

/** Says something else than the file does. */
export interface Override {
  /** `--apiserver-host` */
  readonly server: URL | undefined
  /** `--certificate-authority`, PEM */
  readonly ca: string | undefined
}

type Part = Readonly<Record<string, unknown>>

/** @returns JSON @throws Failure when this is no kubeconfig file */
export function readKubeconfig(file: string, override: Override): string {
  const directory = dirname(file)
  const content = parsed(file)
  return JSON.stringify({
    ...content,
    clusters: each(content.clusters, "cluster", (cluster) => corrected(cluster, override)),
    users: each(content.users, "user", (user) => withExec(withTokenFile(user, directory), directory)),
  })
}

function parsed(file: string): Part {
  try {
    const content: unknown = parse(readFileSync(file, "utf8"))
    if (isRecord(content)) return content
  } catch (error) {
    throw new Failure("kubeconfig-bad", `Cannot read --kubeconfig=${file}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
  throw new Failure("kubeconfig-bad", `Cannot use --kubeconfig=${file}: it has to be a YAML mapping`)
}

/** Changes what stands under `field` in each item of a list of `{name, [field]}`. */
function each(list: unknown, field: string, change: (part: Part) => Part): unknown {
  if (!Array.isArray(list)) return list
  return list.map((item: unknown) => {
    const part = isRecord(item) ? item[field] : undefined
    return isRecord(item) && isRecord(part) ? { ...item, [field]: change(part) } : item
  })
}

/** client-node refuses plain HTTP unless certificates need not be checked, of which there are none then. */
function corrected(cluster: Part, override: Override): Part {
  const server = override.server?.href ?? cluster.server
  const { "certificate-authority": file, "certificate-authority-data": data, ...rest } = cluster
  const ca =
    override.ca === undefined
      ? { "certificate-authority": file, "certificate-authority-data": data }
      : { "certificate-authority-data": base64(override.ca) }
  const isPlain = typeof server === "string" && server.startsWith("http:")
  return { ...rest, ...ca, server, ...(isPlain && { "insecure-skip-tls-verify": true }) }
}

/** client-node reads a token's file again and again only where a provider names it. */
function withTokenFile(user: Part, directory: string): Part {
  const { tokenFile, token: _former, ...rest } = user
  if (typeof tokenFile !== "string" || tokenFile === "") return user
  return {
    ...rest,
    "auth-provider": { name: "tokenFile", config: { tokenFile: resolve(directory, tokenFile) } },
  }
}

/** Commands are told what is wanted, and found beside the file; client-node does neither. */
function withExec(user: Part, directory: string): Part {
  const { exec } = user
  if (!isRecord(exec) || typeof exec.command !== "string") return user
  const { command, env } = exec
  const wanted = { apiVersion: exec.apiVersion, kind: "ExecCredential", spec: { interactive: false } }
  const told = { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(wanted) }
  return {
    ...user,
    exec: {
      ...exec,
      command: command.includes("/") ? resolve(directory, command) : command,
      env: [...(Array.isArray(env) ? env : []), told],
    },
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64")
}
