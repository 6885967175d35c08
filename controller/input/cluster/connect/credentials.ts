import type { Agent } from "node:http"
import type { RequestOptions } from "node:https"

/** Credentials of one request, and the certificates by which it trusts the server. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly tls: Pick<RequestOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">
  /** leads through a proxy; absent: straight to the server */
  readonly agent?: Agent
  /** which reading of files and commands they come from */
  readonly reading: number
}

/** Where the API server is and how to be let in. */
export interface Access {
  /** `https://host:port`, perhaps with a path under which the API lies */
  readonly server: URL
  /** who says so, for messages: `--kubeconfig=admin.conf` */
  readonly origin: string
  /**
   * Those of this moment: tokens and certificates are renewed in their files while we run.
   *
   * @throws Failure when they cannot be had
   */
  credentials(): Promise<Credentials>
  /** The server does not take these: what is kept of that reading is not to be used again. Without effect when there was another reading since. */
  forget(refused: Credentials): void
}
