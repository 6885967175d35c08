// The Jobs of the chart, against a store that answers as an API server: what is made, what stays, and who trusts whom at every moment.
import { X509Certificate } from "node:crypto"
import { expect, test } from "vitest"
import { perform, type Task } from "../../../../cli/certgen/run.ts"
import type { WantedSecret } from "../../../../cli/certgen/secret.ts"
import { ApiFailure, type ApiRequest } from "../../../../controller/input/cluster/api.ts"

const dayMs = 86_400_000
const secretPath = "/api/v1/namespaces/ingress/secrets/admission"
const webhookPath = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/admission"

interface Stored {
  readonly metadata: { readonly resourceVersion: string }
  readonly data?: Readonly<Record<string, string>>
  readonly webhooks?: readonly {
    readonly clientConfig: { readonly caBundle: string }
    readonly failurePolicy: string
  }[]
}

/** Keeps objects by their paths, and refuses what was changed meanwhile. */
class Store {
  readonly objects = new Map<string, Stored>()
  readonly writes: string[] = []
  /** what else happens before the next write */
  meanwhile: (() => void) | undefined
  #version = 0

  readonly send = async ({ method, path, body }: ApiRequest): Promise<unknown> => {
    if (method === "GET") return this.#found(path)
    this.meanwhile?.()
    this.meanwhile = undefined
    const sent = body as Stored & { metadata: { name: string } }
    const at = method === "POST" ? `${path}/${sent.metadata.name}` : path
    const there = this.objects.get(at)
    if (
      method === "POST"
        ? there !== undefined
        : there?.metadata.resourceVersion !== sent.metadata.resourceVersion
    )
      throw new ApiFailure("conflict", { status: 409 })
    this.put(at, sent)
    this.writes.push(`${method} ${at.split("/").at(-2)}`)
    return sent
  }

  put(path: string, object: object): void {
    this.#version += 1
    const metadata = { ...(object as Stored).metadata, resourceVersion: String(this.#version) }
    this.objects.set(path, { ...object, metadata } as Stored)
  }

  #found(path: string): Stored {
    const found = this.objects.get(path)
    if (found === undefined) throw new ApiFailure("not found", { status: 404 })
    return found
  }

  pem(key: string): string {
    return Buffer.from(this.objects.get(secretPath)?.data?.[key] ?? "", "base64").toString()
  }
  get trusted(): string {
    const [webhook] = this.objects.get(webhookPath)?.webhooks ?? []
    return Buffer.from(webhook?.clientConfig.caBundle ?? "", "base64").toString()
  }
}

const wanted: WantedSecret = {
  namespace: "ingress",
  name: "admission",
  hosts: ["admission", "admission.ingress.svc"],
  certKey: "cert",
  keyKey: "key",
}
const webhooks = { name: "admission", kinds: ["validating"], failurePolicy: "Fail" } as const
const withWebhooks = { ...wanted, webhooks }
const patch: Task = { kind: "patch", secret: wanted, webhooks, apiService: "" }

function run(store: Store, task: Task, nowMs = Date.now()): Promise<void> {
  return perform(task, { send: store.send, nowMs, log: { info: () => {} } })
}

const create = (store: Store, secret = wanted, nowMs?: number) =>
  run(store, { kind: "create", secret }, nowMs)

function configuration(): object {
  const clientConfig = { service: { name: "admission" } }
  return { metadata: { name: "admission" }, webhooks: [{ name: "a", clientConfig, failurePolicy: "Ignore" }] }
}

test("a Secret is made once, and what is good stays", async () => {
  const store = new Store()
  await create(store)
  const made = store.objects.get(secretPath)
  expect(Object.keys(made?.data ?? {})).toEqual(["ca", "cert", "key"])
  await create(store)
  expect(store.objects.get(secretPath)).toBe(made)
})

test("another Job that is quicker is no failure", async () => {
  const store = new Store()
  const other = new Store()
  await create(other)
  store.meanwhile = () => store.put(secretPath, other.objects.get(secretPath) ?? {})
  await create(store)
  expect(store.pem("cert")).toBe(other.pem("cert"))
})

test.each<[string, Partial<WantedSecret>, number]>([
  ["it is not for a host", { hosts: ["admission", "renamed.ingress.svc"] }, 0],
  ["it ends soon", {}, 36_450 * dayMs],
])("a certificate is renewed when %s, and the authority before it stays trusted", async (_, other, laterMs) => {
  const store = new Store()
  await create(store)
  store.put(webhookPath, configuration())
  await run(store, patch)
  const [before, trusted] = [store.pem("cert"), store.trusted]
  store.writes.length = 0
  await create(store, { ...withWebhooks, ...other }, Date.now() + laterMs)
  const leaf = new X509Certificate(store.pem("cert"))
  expect(store.pem("cert")).not.toBe(before)
  expect(store.writes).toEqual(["PUT validatingwebhookconfigurations", "PUT secrets"])
  expect(store.trusted).toBe(store.pem("ca"))
  expect(store.trusted).toContain(trusted.trim())
  expect(leaf.verify(new X509Certificate(store.pem("ca")).publicKey)).toBe(true)
})

test("of the authorities before it only one stays, so that there are never more than two", async () => {
  const store = new Store()
  for (const host of ["a", "b", "c", "d"]) await create(store, { ...wanted, hosts: [host] })
  expect(store.pem("ca").match(/BEGIN/g)).toHaveLength(2)
})

test.each([
  ["cert", "that is no certificate"],
  ["key", "that is another one's"],
  ["ca", "that vouches for nobody"],
])("a Secret with a %s %s is put right", async (key) => {
  const [store, other] = [new Store(), new Store()]
  await create(store)
  await create(other)
  const broken =
    key === "cert" ? Buffer.from("x").toString("base64") : other.objects.get(secretPath)?.data?.[key]
  const { data, ...rest } = store.objects.get(secretPath) ?? {}
  store.put(secretPath, { ...rest, data: { ...data, [key]: broken, more: "eA==" } })
  await create(store)
  const leaf = new X509Certificate(store.pem("cert"))
  expect(leaf.verify(new X509Certificate(store.pem("ca")).publicKey)).toBe(true)
  expect(store.pem("more")).toBe("x")
})

test("a Secret that somebody else has made is left alone", async () => {
  const store = new Store()
  store.put(secretPath, { data: { "tls.crt": "eA==" } })
  await expect(create(store)).rejects.toThrow('Cannot use Secret "ingress/admission": key "ca" is missing')
  expect(store.writes).toEqual([])
})

test("webhooks trust the authority of the Secret, and get their failurePolicy", async () => {
  const store = new Store()
  await create(store)
  store.put(webhookPath, configuration())
  await run(store, patch)
  expect(store.trusted).toBe(store.pem("ca"))
  expect(store.objects.get(webhookPath)?.webhooks?.[0]).toMatchObject({ name: "a", failurePolicy: "Fail" })
  store.writes.length = 0
  await run(store, patch)
  expect(store.writes).toEqual([])
})

test("what somebody else changes meanwhile is kept", async () => {
  const store = new Store()
  await create(store)
  store.put(webhookPath, configuration())
  store.meanwhile = () => store.put(webhookPath, { ...configuration(), kind: "changed" })
  await run(store, patch)
  expect(store.objects.get(webhookPath)).toMatchObject({ kind: "changed" })
  expect(store.trusted).toBe(store.pem("ca"))
})

test("what is missing is said", async () => {
  const store = new Store()
  await expect(run(store, patch)).rejects.toThrow('Secret "ingress/admission": it does not exist')
  await create(store)
  await expect(run(store, patch)).rejects.toThrow(
    'Cannot change the validating webhook configuration "admission": it does not exist',
  )
})
