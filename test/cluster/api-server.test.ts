// The API server of the tests itself: what others rely on.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { ApiError } from "../../harness/cluster/client.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { ask } from "../../harness/http.ts"
import { ingress, service, settings } from "../../harness/manifests.ts"
import { letPass } from "../support/clock.ts"

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server.stop())

test("objects are applied, changed, read, listed and deleted", async () => {
  const namespace = await server.namespace("objects")
  const cart = `${namespace}/cart`
  await server.admin.apply(ingress(cart, "cart.test/ → cart:80"), service(cart))
  const made = await server.admin.get("Ingress", cart)
  expect(made?.spec.rules[0].host).toBe("cart.test")
  await server.admin.apply(ingress(cart, "other.test/ → cart:80"))
  const changed = await server.admin.list("Ingress", namespace)
  expect(changed.map(({ metadata, spec }) => [metadata.uid, spec.rules[0].host])).toEqual([
    [made?.metadata.uid, "other.test"],
  ])
  await server.admin.delete("Ingress", cart)
  expect(await server.admin.get("Ingress", cart)).toBeUndefined()
})

test("an Ingress that cannot be is refused", async () => {
  const namespace = await server.namespace("refused")
  const applied = server.admin.apply(ingress(`${namespace}/bad`, "UPPER.test/ → cart:80"))
  await expect(applied).rejects.toMatchObject({ status: 422, reason: "Invalid" })
})

test("pods answer on addresses that EndpointSlices take", async () => {
  const namespace = await server.namespace("pods")
  await using pods = await startPods("one", "two")
  await server.admin.apply(sliceOf(`${namespace}/web`, pods))
  const stored = await server.admin.get("EndpointSlice", `${namespace}/web-0`)
  const addresses = (stored?.endpoints as { addresses: [string] }[]).map(({ addresses: [first] }) => first)
  const answers = await Promise.all(addresses.map((host) => ask({ host, port: podPort })))
  expect(answers.map(({ body }) => body)).toEqual(["one", "two"])
})

test("a ServiceAccount may do what a Role says and no more", async () => {
  const namespace = await server.namespace("rbac")
  const { client, user } = await server.serviceAccount(`${namespace}/reader`)
  await expect(client.list("ConfigMap", namespace)).rejects.toMatchObject({
    status: 403,
    reason: "Forbidden",
  })
  await server.admin.apply(
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { namespace, name: "reader" },
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { namespace, name: "reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
    },
  )
  await expect.poll(() => client.list("ConfigMap", namespace).catch(String)).toEqual([])
  await expect(client.get("ConfigMap", `${namespace}/one`)).rejects.toMatchObject({ status: 403 })
})

describe("the API server", () => {
  test("keeps what it had when it is killed and started again", async () => {
    const namespace = await server.namespace("kept")
    await server.admin.apply(settings(`${namespace}/one`, { a: "1" }))
    await server.kill()
    await expect(server.admin.get("ConfigMap", `${namespace}/one`)).rejects.toMatchObject({
      code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/),
    })
    await server.start()
    expect((await server.admin.get("ConfigMap", `${namespace}/one`))?.data).toEqual({ a: "1" })
  })

  test("answers 410 to who wants to go on from before a compaction", async () => {
    const namespace = await server.namespace("gone")
    const [{ metadata } = { metadata: { resourceVersion: "" } }] = await server.admin.apply(
      settings(`${namespace}/one`, { a: "1" }),
    )
    await server.admin.apply(
      settings(`${namespace}/one`, { a: "2" }),
      settings(`${namespace}/two`, { a: "2" }),
    )
    await server.kill()
    server.compact()
    await server.start()
    const events = (await server.admin.send("GET", `/api/v1/namespaces/${namespace}/configmaps`, {
      query: { watch: "true", resourceVersion: metadata.resourceVersion, timeoutSeconds: "5" },
    })) as { type: string; object: { code: number; reason: string } }
    expect(events).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } })
  })

  test("takes connections and says nothing while it is frozen", async () => {
    await server.freeze()
    const answer = server.admin.send("GET", "/readyz")
    const first = await Promise.race([answer, letPass(300, "it answers, if it can").then(() => "nothing")])
    server.thaw()
    expect(first).toBe("nothing")
    expect(await answer).toBe("ok")
  })
})

test("an error says what was asked and what came back", async () => {
  const error = await server.admin.delete("Secret", "nowhere/nothing").catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiError)
  expect(String(error)).toContain("DELETE /api/v1/namespaces/nowhere/secrets/nothing: 404")
})
