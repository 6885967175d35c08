import { readFile } from "node:fs/promises"
import { Failure, reasonOf } from "../../../support/failure.ts"
import type { ClusterFlags } from "../options.ts"
import type { Access } from "./credentials.ts"
import { ServiceAccount, type ServiceAddress } from "./service-account.ts"

type AccessOptions = Pick<ClusterFlags, "apiserverHost" | "certificateAuthority" | "kubeconfig">

/**
 * Where the API server is: as the flags say, else as Kubernetes tells a Pod. What kubectl would look at besides (KUBECONFIG, ~/.kube/config) is
 * not looked at.
 *
 * @param service KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT; "" outside of a cluster
 * @throws Failure when nothing says where it is, or what says so cannot be used
 */
export async function openAccess(options: AccessOptions, service: ServiceAddress): Promise<Access> {
  const { kubeconfig } = options
  const server =
    options.apiserverHost === ""
      ? undefined
      : parseServer(options.apiserverHost, options.certificateAuthority !== "")
  const ca = server && (await readAuthority(options.certificateAuthority))
  if (kubeconfig !== "") {
    const { Kubeconfig } = await import("./kubeconfig.ts")
    return Kubeconfig.open(kubeconfig, { server, ca })
  }
  if (server !== undefined) return new Anonymous(server, ca)
  if (service.host !== "" && service.port !== "") return new ServiceAccount(service)
  throw new Failure(
    "no-objects",
    "Cannot start without objects: run in a cluster, name an API server with --kubeconfig FILE or --apiserver-host URL, or a directory with --manifests DIR",
  )
}

/** `--apiserver-host` alone: a server without credentials, as `kubectl proxy` is. */
class Anonymous implements Access {
  readonly server: URL
  readonly origin: string
  readonly #ca: string | undefined

  constructor(server: URL, ca: string | undefined) {
    this.server = server
    this.origin = "--apiserver-host"
    this.#ca = ca
  }

  async credentials() {
    return { headers: {}, tls: this.#ca === undefined ? {} : { ca: this.#ca }, reading: 0 }
  }

  forget() {}
}

/** Without a scheme it is HTTP, unless there is an authority to check certificates by. Source: client-go, rest.DefaultServerURL. */
function parseServer(text: string, hasAuthority: boolean): URL {
  const url = text.includes("://") ? text : `${hasAuthority ? "https" : "http"}://${text}`
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url)
  throw new Failure(
    "flag-bad",
    `Cannot use --apiserver-host=${text}: write https://HOST:PORT or http://HOST:PORT`,
  )
}

async function readAuthority(file: string): Promise<string | undefined> {
  if (file === "") return undefined
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    throw new Failure("no-authority", `Cannot read --certificate-authority=${file}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}
