// What NOTES.txt says about values: as long as it is true.
import { expect, test } from "vitest"
import { notices, render } from "./support/helm.ts"

test("a key of MaxMind needs the databases to be used", () => {
  const said = (config: object) =>
    notices(render({ controller: { maxmindLicenseKey: "key", config } })).filter((line) =>
      line.startsWith("- controller.maxmindLicenseKey:"),
    )
  expect(said({})).toHaveLength(1)
  expect(said({ "use-geoip2": "true" })).toEqual([])
})

test("ModSecurity needs the image that has it", () => {
  const said = (config: object, image: object = {}) =>
    notices(render({ controller: { config, image } })).filter((line) => line.includes("ModSecurity"))
  expect(said({ "enable-modsecurity": "true" })).toEqual([
    expect.stringMatching(/^- controller\.config: .* controller\.image\.tag \S+-full\. /),
  ])
  expect(said({ "modsecurity-snippet": "SecRuleEngine On" })).toHaveLength(1)
  expect(said({ "enable-modsecurity": "false", "modsecurity-audit-log": "off" })).toEqual([])
  expect(said({ "enable-modsecurity": "true" }, { tag: "1.0.0-full" })).toEqual([])
  expect(said({ "enable-modsecurity": "true" }, { digest: `sha256:${"a".repeat(64)}` })).toEqual([])
})

test("nothing is said about values that do what they say", () => {
  expect(notices(render({}))).toEqual([])
})

test("how it is reached depends on the Service", () => {
  const ways = [
    [{ controller: { service: { type: "LoadBalancer" } } }, "when the load balancer is ready"],
    [{ controller: { service: { type: "NodePort" } } }, "ports on every node"],
    [{ controller: { service: { type: "ClusterIP" } } }, "port-forward"],
    [{ controller: { service: { enabled: false }, hostNetwork: true } }, "by the addresses of its nodes"],
    [{ controller: { service: { external: { enabled: false } } } }, "by what you have set up for that"],
  ] as const
  for (const [values, words] of ways) expect(render(values).notes).toContain(words)
})
