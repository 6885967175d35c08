import type { OutgoingHttpHeaders } from "node:http"
import type { RequestOptions } from "node:https"
import { dirname } from "node:path"
import type { KubeConfig } from "@kubernetes/client-node"
import { Failure, reasonOf } from "../../../support/failure.ts"
import type { Access, Credentials } from "./credentials.ts"
import { type Override, readKubeconfig } from "./kubeconfig-file.ts"

const maxCharacters = 300

type Library = Pick<typeof import("@kubernetes/client-node"), "KubeConfig">

/**
 * What a kubeconfig file says: tokens, client certificates, commands that give them, read by client-node. The library is loaded only for this:
 * it takes 80 MiB.
 */
export class Kubeconfig implements Access {
  readonly server: URL
  readonly origin: string
  readonly #load: () => KubeConfig
  #config: KubeConfig | undefined
  #pending: Promise<Credentials> | undefined
  #reading = 1

  private constructor(origin: string, load: () => KubeConfig) {
    this.origin = origin
    this.#load = load
    this.#config = load()
    this.server = serverOf(this.#config, origin)
  }

  /** @throws Failure when the file says nothing that can be used */
  static async open(file: string, override: Override): Promise<Kubeconfig> {
    const library = await import("@kubernetes/client-node")
    const origin = `--kubeconfig=${file}`
    return new Kubeconfig(origin, () => load(library, file, override, origin))
  }

  /** Those who ask at the same time wait for one answer: a command may be behind it. */
  credentials(): Promise<Credentials> {
    this.#pending ??= this.#read().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  /** The file is read again, and with it goes what client-node keeps of files and commands. */
  forget({ reading }: Credentials): void {
    if (reading !== this.#reading) return
    this.#config = undefined
    this.#reading += 1
  }

  async #read(): Promise<Credentials> {
    const reading = this.#reading
    this.#config ??= this.#load()
    const options: RequestOptions = {}
    try {
      await this.#config.applyToHTTPSOptions(options)
    } catch (error) {
      this.#config = undefined // it has kept what the command gave, good or not
      throw unusable(this.origin, isGarbled(error) ? "its command gives no credentials" : error)
    }
    const { ca, cert, key, servername, rejectUnauthorized, agent } = options
    const tls = { ca, cert, key, servername, rejectUnauthorized }
    const isProxied = this.#config.getCurrentCluster()?.proxyUrl !== undefined
    return {
      headers: headersOf(options),
      tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
      ...(isProxied && typeof agent === "object" && { agent }),
      reading,
    }
  }
}

function load({ KubeConfig }: Library, file: string, override: Override, origin: string): KubeConfig {
  const config = new KubeConfig()
  const text = readKubeconfig(file, override)
  try {
    config.loadFromString(text)
    config.makePathsAbsolute(dirname(file))
  } catch (error) {
    throw unusable(origin, error)
  }
  const missing = missingIn(config)
  if (missing !== undefined) throw unusable(origin, `its ${missing} is not there`)
  return config
}

/** What a name in the file leads nowhere from. */
function missingIn(config: KubeConfig): string | undefined {
  const name = config.getCurrentContext()
  if (!name) return "current-context"
  const context = config.getContextObject(name)
  if (context === null) return `context "${name}"`
  if (config.getCurrentCluster() === null) return `cluster "${context.cluster}"`
  return context.user && config.getCurrentUser() === null ? `user "${context.user}"` : undefined
}

function serverOf(config: KubeConfig, origin: string): URL {
  const { name, server } = config.getCurrentCluster() ?? { name: "", server: "" }
  if (URL.canParse(server)) return new URL(server)
  throw unusable(origin, `the server of its cluster "${name}" is no URL`)
}

/** These errors repeat what a command printed, or are about what it did not. */
function isGarbled(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof TypeError
}

/** A token's file may end with a line break, which no header can hold. */
function headersOf({ headers, auth }: RequestOptions): Record<string, string> {
  const given = Object.entries((headers ?? {}) as OutgoingHttpHeaders) // client-node sets an object
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value).trim()])),
    ...(typeof auth === "string" && { authorization: `Basic ${Buffer.from(auth).toString("base64")}` }),
  }
}

/** Commands may have much to say. */
function unusable(origin: string, error: unknown): Failure {
  const reason = reasonOf(error).replaceAll(/\s+/g, " ").trim().slice(0, maxCharacters)
  return new Failure("no-credentials", `Cannot use ${origin}: ${reason || "its command fails"}`, {
    cause: error,
  })
}
