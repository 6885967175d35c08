// An admission webhook on the machine of the test: its certificate by certgen, mounted as the kubelet mounts a Secret, and its configuration.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import { ApiError, pathOf } from "../../../harness/cluster/client.ts"
import type { Json } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { freePorts } from "../../../harness/ports.ts"

const configuration = "wick-admission"
const secret = "wick-admission"
const execute = promisify(execFile)

/** Applies an object as kubectl does. @returns "" when it was let in, else what kubectl prints */
export async function attempt(
  server: ApiServer,
  object: Json,
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { kind, metadata } = object as { kind: string; metadata: { namespace: string; name: string } }
  try {
    await server.admin.send("PATCH", pathOf(kind, `${metadata.namespace}/${metadata.name}`), {
      query: { fieldManager: "test", force: "true", ...query },
      body: object,
      contentType: "application/apply-patch+yaml",
    })
    return ""
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.message
  }
}

export class Webhook implements Disposable {
  readonly port: number
  readonly #server: ApiServer
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-webhook-"))
  #mounts = 0

  private constructor(server: ApiServer, port: number) {
    this.#server = server
    this.port = port
  }

  /** Makes its certificate; nobody asks it so far. */
  static async prepare(server: ApiServer): Promise<Webhook> {
    const [port = 0] = await freePorts(1)
    const webhook = new Webhook(server, port)
    await server.admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "wick" } })
    await webhook.create()
    await webhook.mount()
    return webhook
  }

  /** For the controller that serves it. */
  get flags(): readonly string[] {
    return [
      `--validating-webhook=127.0.0.1:${this.port}`,
      `--validating-webhook-certificate=${join(this.#dir, "cert")}`,
      `--validating-webhook-key=${join(this.#dir, "key")}`,
    ]
  }

  /** From now on the API server asks about Ingresses and objects of the Gateway API of the namespaces with this label. @param at where, address and port */
  async announce(label: string, at = `127.0.0.1:${this.port}`, timeoutSeconds = 10): Promise<void> {
    const webhook = (name: string, apiGroup: string, resources: string) => ({
      name,
      matchPolicy: "Equivalent",
      rules: [
        {
          ...{ apiGroups: [apiGroup], apiVersions: ["v1"], resources: [resources] },
          operations: ["CREATE", "UPDATE"],
        },
      ],
      failurePolicy: "Fail",
      sideEffects: "None",
      timeoutSeconds,
      admissionReviewVersions: ["v1"],
      clientConfig: { url: `https://${at}/` },
      namespaceSelector: { matchLabels: { [label]: "yes" } },
    })
    await this.#server.admin.apply({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: configuration },
      webhooks: [
        webhook("validate.nginx.ingress.kubernetes.io", "networking.k8s.io", "ingresses"),
        webhook("validate.gateway.wick.dev", "gateway.networking.k8s.io", "*"),
      ],
    })
    await this.patch()
  }

  /** @param hosts for which it is, besides this machine */
  create(...hosts: readonly string[]): Promise<string> {
    const named = ["127.0.0.1", ...hosts].join(",")
    return this.#certgen("create", `--host=${named}`, `--webhook-name=${configuration}`)
  }

  patch(failurePolicy = "Fail"): Promise<string> {
    return this.#certgen(
      "patch",
      `--webhook-name=${configuration}`,
      `--patch-failure-policy=${failurePolicy}`,
    )
  }

  /** What is in the Secret now takes the place of the files, all at once. */
  async mount(): Promise<void> {
    const made = await this.#server.admin.get("Secret", `wick/${secret}`)
    const version = `..version-${this.#mounts}`
    mkdirSync(join(this.#dir, version))
    for (const [key, text] of Object.entries(made?.data as Readonly<Record<string, string>>))
      writeFileSync(join(this.#dir, version, key), Buffer.from(text, "base64"))
    symlinkSync(version, join(this.#dir, "..data_tmp"))
    renameSync(join(this.#dir, "..data_tmp"), join(this.#dir, "..data"))
    if (this.#mounts === 0)
      for (const key of ["cert", "key"]) symlinkSync(`..data/${key}`, join(this.#dir, key))
    this.#mounts += 1
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #certgen(...args: readonly string[]): Promise<string> {
    const own = ["--namespace=wick", `--secret-name=${secret}`, "--patch-mutating=false"]
    const access = `--kubeconfig=${this.#server.adminKubeconfig()}`
    const { stdout } = await execute(nodeBinary, [
      join(root, "controller/main.ts"),
      "certgen",
      ...args,
      ...own,
      access,
    ])
    return stdout
  }
}
