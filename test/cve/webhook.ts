// Asks wick's admission webhook, as the API server does, or somebody who takes its place.
import { mkdtempSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pem } from "../../harness/certificates.ts"
import type { Json } from "../../harness/manifests.ts"
import { freePorts } from "../../harness/ports.ts"

export interface Verdict {
  readonly status: number
  readonly allowed: boolean | undefined
  /** "" when it was let in */
  readonly message: string
}

export class Webhook {
  /** with its certificate */
  readonly dir = mkdtempSync(join(tmpdir(), "wick-webhook-"))
  readonly port: number

  private constructor(port: number) {
    this.port = port
    writeFileSync(join(this.dir, "cert"), pem("client.crt"))
    writeFileSync(join(this.dir, "key"), pem("client.key"))
  }

  /** For a wick that is started with its flags. */
  static async prepare(): Promise<Webhook> {
    const [port = 0] = await freePorts(1)
    return new Webhook(port)
  }

  get flags(): readonly string[] {
    const files = { certificate: join(this.dir, "cert"), key: join(this.dir, "key") }
    return [
      `--validating-webhook=127.0.0.1:${this.port}`,
      ...Object.entries(files).map(([name, path]) => `--validating-webhook-${name}=${path}`),
    ]
  }

  /** As the API server asks about an object that is new. @param uid that it has given it */
  ask(object: Json | undefined, uid = "0b2f4a3c-1d5e-4f60-8a7b-9c0d1e2f3a4b"): Promise<Verdict> {
    const { metadata, ...rest } = object ?? {}
    return this.send(
      JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: {
          uid: "of-the-request",
          kind: { group: "networking.k8s.io", version: "v1", kind: "Ingress" },
          operation: "CREATE",
          object: { ...rest, metadata: { ...(metadata as Json), uid } },
        },
      }),
    )
  }

  /** Any body. */
  async send(body: string): Promise<Verdict> {
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const options = { port: this.port, method: "POST", rejectUnauthorized: false, agent: false, headers }
    const asked = request(
      { host: "127.0.0.1", path: "/networking/v1/ingresses", ...options },
      async (answer) => {
        const pieces = await answer.toArray()
        const { response } = JSON.parse(Buffer.concat(pieces).toString() || "{}")
        const status = answer.statusCode ?? 0
        resolve({ status, allowed: response?.allowed, message: response?.status?.message ?? "" })
      },
    )
    asked.on("error", reject).end(body)
    return promise
  }
}
