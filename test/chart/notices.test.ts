// What NOTES.txt says about values: as long as it is true.
import { expect, test } from "vitest"
import { plannedFlags } from "../../build/reference/flags.ts"
import { notices, render } from "./support/helm.ts"

const isPlanned = (flag: string) => plannedFlags.some(({ name }) => name === flag)

test.each([
  {
    flag: "maxmind-license-key",
    values: { controller: { maxmindLicenseKey: "key" } },
    notice: "- controller.maxmindLicenseKey:",
  },
])("it says that --$flag has no effect until it has one", ({ flag, values, notice }) => {
  const said = notices(render(values)).some((line) => line.startsWith(notice))
  expect(said, `templates/_notices.tpl, values.yaml and docs/chart.md`).toBe(isPlanned(flag))
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
