import { describe, expect, test } from "vitest"
import { backend, findings, ingress, object, parse } from "./parsed.ts"

describe("an Ingress", () => {
  test("is read whole", () => {
    const value = ingress({
      ingressClassName: "nginx",
      defaultBackend: { resource: { kind: "Bucket", name: "b" } },
      rules: [
        { host: "cart.test", http: { paths: [{ path: "/", pathType: "Exact", backend }] } },
        { http: { paths: [{ backend: { service: { name: "cart", port: { name: "http" } } } }] } },
        { host: "bare.test" },
      ],
      tls: [{ hosts: ["cart.test"], secretName: "cert" }, {}],
    })
    expect(parse(value)).toEqual({
      kind: "object",
      problems: [],
      object: {
        kind: "Ingress",
        meta: { namespace: "shop", name: "cart", uid: "", createdMs: 1000, labels: {}, annotations: {} },
        className: "nginx",
        defaultBackend: { kind: "resource" },
        rules: [
          {
            host: "cart.test",
            paths: [
              {
                path: "/",
                pathType: "Exact",
                backend: { kind: "service", name: "cart", port: { kind: "number", number: 80 } },
              },
            ],
          },
          {
            host: "",
            paths: [
              {
                path: "",
                pathType: "ImplementationSpecific",
                backend: { kind: "service", name: "cart", port: { kind: "name", name: "http" } },
              },
            ],
          },
          { host: "bare.test" },
        ],
        tls: [
          { hosts: ["cart.test"], secretName: "cert" },
          { hosts: [], secretName: "" },
        ],
      },
    })
  })

  test("one bad path costs that path alone", () => {
    const value = ingress({
      rules: [
        {
          host: "a.test",
          http: {
            paths: [
              { path: "/good", backend },
              { path: "/bad", pathType: "prefix", backend },
              { path: "/none" },
              { path: 7, backend },
              { path: "/text", backend: { service: { name: "cart", port: { number: "80" } } } },
            ],
          },
        },
        { host: 5, http: { paths: [] } },
        "rule",
      ],
    })
    const parsed = object(value)
    expect(parsed.kind === "Ingress" && parsed.rules).toMatchObject([
      { host: "a.test", paths: [{ path: "/good" }] },
    ])
    expect(findings(value)).toEqual([
      "spec.rules[0].http.paths[1].pathType type-wrong",
      "spec.rules[0].http.paths[2].backend field-missing",
      "spec.rules[0].http.paths[3].path type-wrong",
      "spec.rules[0].http.paths[4].backend.service.port.number type-wrong",
      "spec.rules[1].host type-wrong",
      "spec.rules[2] type-wrong",
    ])
  })

  test("a Problem is a sentence with object, field, what is wrong and where it is written", () => {
    const parsed = parse(ingress({ rules: [{ host: ["a"] }] }))
    expect(parsed.problems).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "cart" },
        field: "spec.rules[0].host",
        code: "type-wrong",
        message: "Field spec.rules[0].host has to be a text, not a list (cart.yaml:7)",
      },
    ])
  })

  test("a rule whose http section cannot be read is not taken for one without", () => {
    const parsed = object(ingress({ rules: [{ host: "a.test", http: "x" }] }))
    expect(parsed).toMatchObject({ rules: [] })
  })

  test("two ways to name a backend or a port exclude each other", () => {
    const both = { name: "cart", port: { number: 80, name: "http" } }
    expect(findings(ingress({ defaultBackend: { service: both } }))).toEqual([
      "spec.defaultBackend.service.port.name port-twice",
    ])
    expect(findings(ingress({ defaultBackend: { ...backend, resource: {} } }))).toEqual([
      "spec.defaultBackend.resource backend-twice",
    ])
  })
})
