// What the keys of the ConfigMap take, and what they refuse. How a value is printed is in the golden cases.
import { describe, expect, test } from "vitest"
import type { ConfigMap } from "../../../controller/objects/config-map.ts"
import { defaultSettings, keyOf, parseSettings } from "../../../controller/options/configmap.ts"
import { keys } from "../../../controller/options/key-table.ts"
import type { Surroundings } from "../../../controller/options/rules.ts"
import type { Settings } from "../../../controller/options/settings.ts"

function configMap(name: string, data: Readonly<Record<string, string>>): ConfigMap {
  const meta = { namespace: "ingress", name, uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "ConfigMap", meta, data }
}

const around: Surroundings = { find: () => undefined, hasBrotli: true }

/** The value that a key ends up with, and the codes of its Problems. */
function parsed(key: string, text: string): readonly [unknown, ...string[]] {
  const { settings, problems } = parseSettings(
    configMap("settings", { [key]: text }),
    defaultSettings,
    around,
  )
  const field = keys.find(({ name }) => name === key)?.field
  if (field === undefined) throw new Error(`There is no key ${key}`)
  return [settings[field], ...problems.map(({ code }) => code)]
}

describe("values that are used as they are", () => {
  test.each([
    ["worker-cpu-affinity", "auto", "auto"],
    ["worker-cpu-affinity", "0101 1010", "0101 1010"],
    ["worker-shutdown-timeout", "90", 90_000],
    ["worker-shutdown-timeout", "1h 30m", 5_400_000],
    ["worker-shutdown-timeout", "2d12h", 216_000_000],
    ["worker-shutdown-timeout", "500ms", 500],
    ["upstream-keepalive-time", "1m500ms", 60_500],
    ["large-client-header-buffers", "8 16k", { number: 8, bytes: 16_384 }],
    ["proxy-buffering", "on", true],
    ["proxy-next-upstream", "error  http_502", "error http_502"],
    ["proxy-next-upstream", "timeout error timeout", "error timeout"],
    ["proxy-busy-buffers-size", "", 0],
    ["grpc-buffer-size-kb", "4", 4096],
    ["bind-address", "192.0.2.1,::1", ["192.0.2.1", "::1"]],
    ["proxy-real-ip-cidr", " 10.0.0.0/8 ,, 2001:db8::/032 ", ["10.0.0.0/8", "2001:db8::/32"]],
    ["block-user-agents", "~*bot(?!tom)", [{ kind: "regex", pattern: "bot(?!tom)", ignoresCase: true }]],
    ["block-referers", "~(?<!x)y", [{ kind: "regex", pattern: "(?<!x)y", ignoresCase: false }]],
    ["gzip-types", "text/css *", ["text/css", "*"]],
    ["syslog-host", "2001:db8::1", "[2001:db8::1]"],
    ["access-log-path", "/dev/stdout", ""],
    ["access-log-path", "syslog:server=10.0.0.1:514,tag=wick", "syslog:server=10.0.0.1:514,tag=wick"],
    ["access-log-params", "buffer=16k  gzip flush=1m", "buffer=16k gzip flush=1m"],
    ["use-gzip", "", false],
    ["keep-alive", "", 0],
    ["add-headers", "", []],
  ])("%s: %j", (key, text, value) => {
    expect(parsed(key, text)).toEqual([value])
  })
})

describe("values that are refused", () => {
  test.each([
    ["worker-cpu-affinity", "0101; user root"],
    ["worker-shutdown-timeout", "soon"],
    ["worker-shutdown-timeout", "1m 1h"],
    ["worker-shutdown-timeout", "30d"],
    ["worker-shutdown-timeout", ""],
    ["large-client-header-buffers", "4"],
    ["large-client-header-buffers", "4 511"],
    ["large-client-header-buffers", "0 8k"],
    ["client-header-timeout", "0"],
    ["client-header-timeout", "60s"],
    ["proxy-connect-timeout", "2147484"],
    ["proxy-buffering", "true"],
    ["proxy-next-upstream", "error;timeout"],
    ["proxy-buffers-number", "1"],
    ["limit-req-status-code", "200"],
    ["gzip-level", "10"],
    ["gzip-types", "text"],
    ["gzip-disable", "(?<host>x)"],
    ["forwarded-for-header", "X_Client Addr"],
    ["proxy-real-ip-cidr", "10.0.0.0/33"],
    ["proxy-real-ip-cidr", "10.0.0.0/8/8"],
    ["proxy-real-ip-cidr", "fe80::1%eth0"],
    ["block-cidrs", "all"],
    ["block-user-agents", "~"],
    ["block-user-agents", "~(?P<host>x)"],
    ["block-user-agents", "~(?'host'x)"],
    ["access-log-path", "access.log"],
    ["access-log-path", "/var/log/$host"],
    ["access-log-path", "off"],
    ["access-log-path", "syslog:server=a b"],
    ["access-log-params", "flush=1m"],
    ["access-log-params", "buffer=1k buffer=2k"],
    ["access-log-params", "if=$host"],
    ["error-log-level", "everything"],
    ["syslog-host", "unix:/dev/log"],
    ["syslog-port", "0"],
    ["default-type", "text"],
    ["map-hash-bucket-size", "16"],
    ["add-headers", "headers"],
    ["add-headers", "ingress/nowhere"],
  ])("%s: %j", (key, text) => {
    const field = keys.find(({ name }) => name === key)?.field as keyof Settings
    expect(parsed(key, text)).toEqual([defaultSettings[field], "value-refused"])
  })
})

describe("values of which a part is used", () => {
  test.each([
    ["bind-address", "127.0.0.1, localhost", ["127.0.0.1"]],
    ["debug-connections", "10.0.0.0/8, me", ["10.0.0.0/8"]],
    ["hide-headers", "X-A, X B, X-C", ["X-A", "X-C"]],
    ["skip-access-log-urls", "/a, ~(?<uri>.)", [{ kind: "text", text: "/a" }]],
  ])("%s: %j", (key, text, value) => {
    expect(parsed(key, text)).toEqual([value, "value-cut"])
  })
})

describe("keys against each other", () => {
  const settle = (data: Readonly<Record<string, string>>, there: Partial<Surroundings> = {}) => {
    const { settings, problems } = parseSettings(configMap("settings", data), defaultSettings, {
      ...around,
      ...there,
    })
    return { settings, fields: problems.map(({ field, code }) => `${field} ${code}`) }
  }

  test("brotli that is not installed is off", () => {
    const { settings, fields } = settle({ "enable-brotli": "true" }, { hasBrotli: false })
    expect(settings.usesBrotli).toBe(false)
    expect(fields).toEqual(['data["enable-brotli"] value-corrected'])
    expect(settle({ "enable-brotli": "true" }).settings.usesBrotli).toBe(true)
  })

  test("large header buffers are no more when invalid headers go through", () => {
    const keep = { "large-client-header-buffers": "4 32k" }
    expect(settle(keep).settings.largeClientHeaderBuffers.bytes).toBe(32_768)
    const { settings, fields } = settle({ ...keep, "ignore-invalid-headers": "false" })
    expect(settings.largeClientHeaderBuffers).toEqual({ number: 4, bytes: 8192 })
    expect(fields).toEqual(['data["large-client-header-buffers"] value-corrected'])
  })

  test.each([
    ["12k", 12_288],
    ["3k", 0],
    ["13k", 0],
  ])("busy buffers of %s among 4 of 4k are %i", (text, bytes) => {
    expect(settle({ "proxy-busy-buffers-size": text }).settings.proxyBusyBuffersBytes).toBe(bytes)
  })
})

describe("headers of another ConfigMap", () => {
  const headers = configMap("headers", { "X-B": "$host", "X-A": "1", Connection: "close", "X-C": "a\nb" })
  const find = (name: string) => (name === "ingress/headers" ? headers : undefined)
  const read = (key: string) =>
    parseSettings(configMap("settings", { [key]: "ingress/headers" }), defaultSettings, { ...around, find })

  test("come in order; those that cannot be one are left out", () => {
    const { settings, problems } = read("add-headers")
    expect(settings.added).toEqual([
      { name: "X-A", value: "1" },
      { name: "X-B", value: "$host" },
    ])
    expect(problems.map(({ message }) => message)).toEqual([
      'Key "add-headers" is used in part: header "Connection" is left out: it says where a message ends',
    ])
  })

  test("of requests may say what becomes of the connection", () => {
    expect(read("proxy-set-headers").settings.setForBackends.map(({ name }) => name)).toContain("Connection")
  })
})

test("a field has one key, by whose name it is complained about", () => {
  expect(new Set(keys.map(({ field }) => field)).size).toBe(keys.length)
  expect(keyOf("usesBrotli")).toBe("enable-brotli")
})
