// `--kubeconfig` of `wick lint`, `diff` and `convert`: what is asked of an API server, and what becomes of objects that nobody may read.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { ingress, ingressClass, type Json, secret, settings } from "../../../../harness/manifests.ts"
import { ApiDouble } from "../../../support/api-double.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

const root = mkdtempSync(join(tmpdir(), "wick-lint-cluster-"))
afterAll(() => rmSync(root, { recursive: true }))

const deployment: Json = {
  metadata: { namespace: "edge", name: "old" },
  spec: {
    template: {
      spec: {
        containers: [{ args: ["/nginx-ingress-controller", "--configmap=$(POD_NAMESPACE)/settings"] }],
      },
    },
  },
}

/** A server sends no kind with the items of a list. */
function withoutKind({ kind: _, apiVersion: __, ...object }: Json): Json {
  return object
}

const users = { "auth-type": "basic", "auth-secret": "users" }
const lists: Readonly<Record<string, readonly Json[]>> = {
  "/apis/networking.k8s.io/v1/ingressclasses": [ingressClass],
  "/apis/networking.k8s.io/v1/ingresses": [
    ingress("shop/cart", "cart.test/ → cart:80"),
    ingress("shop/login", "login.test/ → cart:80", users),
  ],
  "/apis/apps/v1/deployments": [deployment],
}
const objects: Readonly<Record<string, Json>> = {
  "/api/v1/namespaces/edge/configmaps/settings": settings("edge/settings", {
    "whitelist-source-range": "nobody",
  }),
  "/api/v1/namespaces/shop/secrets/users": secret("shop/users", {
    auth: "ann:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=",
  }),
}

let forbidden: readonly string[]
let asked: string[]
let server: ApiDouble
beforeEach(async () => {
  forbidden = []
  asked = []
  server = await ApiDouble.start((request, response) => {
    asked.push(`${request.method} ${request.url?.split("?")[0]}`)
    answer(request.url?.split("?")[0] ?? "", new URLSearchParams(request.url?.split("?")[1]), response)
  })
})
afterEach(() => server[Symbol.asyncDispose]())

/** Of a list one item at a time, so that there are pages. */
function answer(path: string, query: URLSearchParams, response: ServerResponse): void {
  const object = objects[path]
  if (forbidden.includes(path)) {
    response.statusCode = 403
    response.end(JSON.stringify({ kind: "Status", reason: "Forbidden", message: "no" }))
  } else if (object !== undefined) response.end(JSON.stringify(object))
  else if (/(?:secrets|configmaps)\//.test(path)) {
    response.statusCode = 404
    response.end(JSON.stringify({ kind: "Status", reason: "NotFound", message: "no" }))
  } else {
    const items = lists[path] ?? []
    const at = Number(query.get("continue") ?? 0)
    const next = at + 1 < items.length ? String(at + 1) : ""
    response.end(
      JSON.stringify({ metadata: { continue: next }, items: items.slice(at, at + 1).map(withoutKind) }),
    )
  }
}

async function run(name: string, ...more: readonly string[]) {
  const file = join(root, "config")
  const config = {
    "current-context": "it",
    contexts: [{ name: "it", context: { cluster: "it", user: "me" } }],
    clusters: [{ name: "it", cluster: { server: String(server.url) } }],
    users: [{ name: "me", user: { token: "secret" } }],
  }
  writeFileSync(file, JSON.stringify(config))
  const { failure, said } = await runSubCommand(name, ...more, `--kubeconfig=${file}`, "--json")
  expect(failure).toBeUndefined()
  return JSON.parse(said)
}

test("all Ingresses are read, with the controller's ConfigMap and what they name", async () => {
  const { readFrom, summary, everyone } = await run("lint")
  expect(readFrom).toBe("Deployment edge/old")
  expect(summary).toMatchObject({ ingresses: 2, sameByThemselves: 2 })
  expect(everyone.map(({ rule }: { rule: string }) => rule)).toEqual(["configmap-source-range-refused"])
  expect(asked.filter((line) => !line.startsWith("GET "))).toEqual([])
  expect(asked.filter((line) => /\/secrets/.test(line))).toEqual([
    "GET /api/v1/namespaces/shop/secrets/users",
  ])
})

test("what may not be read is not taken to be missing", async () => {
  forbidden = ["/api/v1/namespaces/shop/secrets/users"]
  const { ingresses } = await run("lint")
  expect(ingresses.map(({ ownVerdict }: { ownVerdict: string }) => ownVerdict)).toEqual(["same", "unread"])
})

test("requests are made, and routes converted, of what the cluster has", async () => {
  const { requests } = await run("diff", "10.0.0.1", "10.0.0.2", "--dry-run")
  const hosts = new Set(requests.map(({ host }: { host: string }) => host))
  expect([...hosts]).toEqual(["cart.test", "login.test", "wick-diff.invalid"])
  const { ingresses, closed, objects } = await run("convert", "--gateway-class=other")
  expect({ ingresses, closed }).toEqual({ ingresses: 2, closed: ["shop/cart", "shop/login"] })
  expect(objects.map(({ kind }: { kind: string }) => kind)).toEqual(["Gateway", "HTTPRoute", "HTTPRoute"])
  expect(asked.filter((line) => !line.startsWith("GET "))).toEqual([])
})
