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

describe("a text of the operator's that nginx refused", () => {
  const refusing =
    (what: Partial<Settings>, reason = "it is bad") =>
    async (candidate: Settings) =>
      Object.entries(what).some(([field, text]) => candidate[field as keyof Settings] === text)
        ? { reason }
        : ("taken" as const)
  const deny = "limit_req_zone $host zone=mine:1k rate=1r/s; deny 192.0.2.1;"

  test("leaves the one before it in force; where there is none, it closes what it may keep out", async () => {
    const settings = new CheckedSettings()
    const refused = configMap({ "http-snippet": deny })
    const check = refusing({ httpSnippet: deny })
    await settings.refused(settings.read(refused).settings, check)
    const first = settings.read(refused)
    expect(first.settings).toMatchObject({ httpSnippet: "", closedByKeys: ["all"] })
    expect(first.problems.map(({ code }) => code).sort()).toEqual(["key-guard-closes", "value-refused"])
    const before = "map $http_a $a { default 1; }"
    settings.taken(settings.read(configMap({ "http-snippet": before })).settings)
    await settings.refused(settings.read(refused).settings, check)
    expect(settings.read(refused).settings).toMatchObject({ httpSnippet: before, closedByKeys: [] })
  })

  test("is tried again when another text changes", async () => {
    const settings = new CheckedSettings()
    const texts = { "main-snippet": "env TZ;", "stream-snippet": "server { listen 9000; return a; }" }
    await settings.refused(
      settings.read(configMap(texts)).settings,
      refusing({ streamSnippet: texts["stream-snippet"] }),
    )
    expect(settings.read(configMap(texts)).settings.streamSnippet).toBe("")
    const changed = configMap({ ...texts, "main-snippet": "env LANG;" })
    expect(settings.read(changed).settings.streamSnippet).toBe(texts["stream-snippet"])
  })

  test("is found, too, when nginx had taken it before", async () => {
    const settings = new CheckedSettings()
    const gone = "upstream there { server gone.test:1; }"
    const now = configMap({ "stream-snippet": gone, "main-snippet": "env TZ;" })
    settings.taken(settings.read(now).settings)
    expect(await settings.refused(settings.read(now).settings, refusing({ streamSnippet: gone }))).toBe(true)
    expect(settings.read(now).settings).toMatchObject({ streamSnippet: "", mainSnippet: "env TZ;" })
  })
})
