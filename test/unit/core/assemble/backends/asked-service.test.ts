import { expect, test } from "vitest"
import { askedFault } from "../../../../../controller/core/assemble/backends/asked-service.ts"
import { urlBackendRef } from "../../../../../controller/core/declared/backend-ref.ts"

const place = { host: "alias.demo.svc", port: 80, namespace: "demo" }
const fault = (
  externalName: string,
  authNamespaces: readonly string[] | null | undefined,
  kind: "auth" | "mirror" = "auth",
) => askedFault(urlBackendRef(kind, place), { type: "ExternalName", externalName }, { authNamespaces })

test.each([
  "verify.shop.svc.cluster.local",
  "verify.shop.svc.cluster.local.",
  "Verify.Shop.SVC",
  "verify.shop.svc.other.domain",
  "verify.shop",
  // through another one of the own namespace
  "alias-too.demo.svc",
  "demo.svc",
  // search domains say where that is
  "verify",
])("another name for %s is not asked where its namespace is not listed", (name) => {
  expect(fault(name, ["auth"])).toContain("auth-namespaces")
  expect(fault(name, null)).toContain("auth-namespaces")
  expect(fault(name, undefined)).toBeUndefined()
  expect(fault(name, ["auth"], "mirror")).toBeUndefined()
})

test.each([
  "verify.auth.svc",
  "verify.AUTH",
  "verify.out.test",
  "out.test.",
  "203.0.113.1",
])("another name for %s is asked", (name) => expect(fault(name, ["auth"])).toBeUndefined())

test("a Service that is no other's name is asked where auth-url may name it", () => {
  const service = { type: "ClusterIP", externalName: "" } as const
  expect(askedFault(urlBackendRef("auth", place), service, { authNamespaces: [] })).toBeUndefined()
})
