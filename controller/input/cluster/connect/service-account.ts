import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { hostPort } from "../../../support/address.ts"
import { Failure, reasonOf } from "../../../support/failure.ts"
import type { Access, Credentials } from "./credentials.ts"

/** Where Kubernetes puts the files of a Pod's service account. */
const usualDirectory = "/var/run/secrets/kubernetes.io/serviceaccount"

/** The kubelet renews a token when four fifths of its life are over, at least ten minutes before its end. Source: Kubernetes, "Bound service account tokens". */
const keptMs = 60_000

/** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT of a Pod: the API server's address inside the cluster. */
export interface ServiceAddress {
  /** name or address, without brackets */
  readonly host: string
  readonly port: string
}

/** A Pod's own way in: by its service account. It needs two files, so nothing is loaded for it that knows of other ways. */
export class ServiceAccount implements Access {
  readonly server: URL
  readonly origin = "the Pod's service account"
  readonly #directory: string
  #kept: Credentials | undefined
  #keptUntilMs = 0
  #readings = 0

  constructor({ host, port }: ServiceAddress, directory: string = usualDirectory) {
    this.server = new URL(`https://${hostPort(host, port)}`)
    this.#directory = directory
  }

  async credentials(): Promise<Credentials> {
    if (this.#kept !== undefined && performance.now() < this.#keptUntilMs) return this.#kept
    const [token, ca] = await Promise.all([this.#read("token"), this.#read("ca.crt")])
    this.#keptUntilMs = performance.now() + keptMs
    this.#kept = {
      headers: { authorization: `Bearer ${token.trim()}` },
      tls: { ca },
      reading: ++this.#readings,
    }
    return this.#kept
  }

  forget({ reading }: Credentials): void {
    if (reading === this.#kept?.reading) this.#kept = undefined
  }

  async #read(name: string): Promise<string> {
    const path = join(this.#directory, name)
    try {
      return await readFile(path, "utf8")
    } catch (error) {
      throw new Failure(
        "no-credentials",
        `Cannot read ${path} of the Pod's service account: ${reasonOf(error)}: set automountServiceAccountToken of the Pod, or give --kubeconfig or --apiserver-host`,
        { cause: error },
      )
    }
  }
}
