import { describe, expect, test } from "vitest"
import { defaultSettings } from "../../../controller/core/options/configmap.ts"
import type { Settings } from "../../../controller/core/options/settings.ts"
import type { ConfigMap } from "../../../controller/model/objects/config-map.ts"
import { CheckedSettings } from "../../../controller/sync/checked-settings.ts"

function configMap(data: Readonly<Record<string, string>>): ConfigMap {
  const meta = { namespace: "shop", name: "settings", uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "ConfigMap", meta, data }
}

const bad = configMap({ "log-format-upstream": "$bad", "keep-alive": "7" })
/** nginx, which knows no variable `$bad` */
const check = async ({ logFormatUpstream }: Settings) =>
  logFormatUpstream === "$bad" ? { reason: 'unknown "bad" variable' } : "taken"

describe("a value that nginx refused", () => {
  test("is left out with a Problem, the other keys count", async () => {
    const settings = new CheckedSettings()
    expect(await settings.refused(settings.read(bad).settings, check)).toBe(true)
    const read = settings.read(bad)
    expect(read.settings).toEqual({ ...defaultSettings, keepAliveSeconds: 7 })
    expect(read.problems).toEqual([
      {
        object: { kind: "ConfigMap", namespace: "shop", name: "settings" },
        field: 'data["log-format-upstream"]',
        code: "value-refused",
        message:
          'Key "log-format-upstream" cannot be used, so the value before it stays in force: unknown "bad" variable',
      },
    ])
  })

  test("keeps the last value that nginx took", async () => {
    const settings = new CheckedSettings()
    const good = settings.read(configMap({ "log-format-upstream": "$status" })).settings
    settings.taken(good)
    await settings.refused(settings.read(bad).settings, check)
    expect(settings.read(bad).settings.logFormatUpstream).toBe("$status")
  })

  test("is found beside another one, each with its reason", async () => {
    const settings = new CheckedSettings()
    const many = configMap({
      "log-format-upstream": "$bad",
      "worker-processes": "9",
      "keep-alive": "7",
      "proxy-body-size": "7m",
      "upstream-keepalive-connections": "7",
    })
    await settings.refused(settings.read(many).settings, async (candidate) => {
      return candidate.workerProcesses === 9 ? { reason: "too many" } : check(candidate)
    })
    expect(settings.read(many).problems.map(({ message }) => message)).toEqual([
      'Key "log-format-upstream" cannot be used, so the value before it stays in force: unknown "bad" variable',
      'Key "worker-processes" cannot be used, so the value before it stays in force: too many',
    ])
    expect(settings.read(many).settings).toMatchObject({
      keepAliveSeconds: 7,
      upstreamKeepaliveConnections: 7,
    })
  })

  test("is no Problem any more once it changed", async () => {
    const settings = new CheckedSettings()
    await settings.refused(settings.read(bad).settings, check)
    const changed = configMap({ "log-format-upstream": "$status" })
    expect(settings.read(changed)).toMatchObject({ settings: { logFormatUpstream: "$status" }, problems: [] })
  })
})

test("a refusal for another reason is not blamed on the settings", async () => {
  const settings = new CheckedSettings()
  expect(await settings.refused(settings.read(bad).settings, async () => ({ reason: "no memory" }))).toBe(
    false,
  )
  expect(settings.read(bad).problems).toEqual([])
})
