// What the keys of the ConfigMap take, and what they refuse. How a value is printed is in the golden cases.
import { randomBytes } from "node:crypto"
import { describe, expect, test } from "vitest"
import { defaultSettings, keyOf, parseSettings } from "../../../../controller/core/options/configmap.ts"
import { noObjects } from "../../../../controller/core/options/key.ts"
import { keys } from "../../../../controller/core/options/key-table.ts"
import type { Surroundings } from "../../../../controller/core/options/rules.ts"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import { allCapabilities, noCapabilities } from "../../../../controller/model/capabilities.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import type { Secret } from "../../../../controller/model/objects/secret.ts"
import { hostile } from "../../../support/hostile.ts"

function configMap(name: string, data: Readonly<Record<string, string>>): ConfigMap {
  const meta = { namespace: "ingress", name, uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "ConfigMap", meta, data }
}

const around: Surroundings = { ...noObjects, capabilities: allCapabilities }

const ticketKey = randomBytes(48).toString("base64")

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
    ["ssl-protocols", " TLSv1.3  TLSv1.2", ["TLSv1.2", "TLSv1.3"]],
    ["ssl-ciphers", "HIGH:!aNULL@SECLEVEL=0", "HIGH:!aNULL@SECLEVEL=0"],
    ["ssl-ecdh-curve", "X25519:prime256v1", "X25519:prime256v1"],
    ["ssl-dh-param", "", undefined],
    ["ssl-session-cache", "", false],
    ["ssl-session-cache-size", "32k", 32_768],
    ["ssl-session-timeout", "1h30m", 5400],
    ["ssl-session-ticket-key", "", undefined],
    ["ssl-buffer-size", "16k", 16_384],
    ["hsts-max-age", "0", 0],
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
    ["ssl-protocols", ""],
    ["ssl-protocols", "SSLv3"],
    ["ssl-protocols", "TLSv1.2;TLSv1.3"],
    ["ssl-ciphers", ""],
    ["ssl-ciphers", "HIGH; return 200"],
    ["ssl-ciphers", "A".repeat(2001)],
    ["ssl-ecdh-curve", ""],
    ["ssl-ecdh-curve", "X25519:"],
    ["ssl-ecdh-curve", "auto;"],
    ["ssl-dh-param", "dhparam"],
    ["ssl-dh-param", "ingress/nowhere"],
    ["ssl-session-cache", "shared"],
    ["ssl-session-cache-size", "31k"],
    ["ssl-session-cache-size", "2g"],
    ["ssl-session-timeout", "0"],
    ["ssl-session-timeout", "1500ms"],
    ["ssl-session-timeout", "1y"],
    ["ssl-session-ticket-key", "secret"],
    ["ssl-session-ticket-key", randomBytes(47).toString("base64")],
    ["ssl-session-ticket-key", ` ${ticketKey}`],
    ["ssl-session-ticket-key", Buffer.alloc(80).toString("base64")],
    ["ssl-early-data", "on"],
    ["ssl-buffer-size", "1023"],
    ["hsts-max-age", "-1"],
    ["hsts-max-age", "1d"],
    ["hsts-max-age", ""],
    ["hsts-max-age", "1; preload"],
  ])("%s: %j", (key, text) => {
    const entry = keys.find(({ name }) => name === key)
    const kept = entry?.whenRefused
      ? entry.whenRefused.value
      : defaultSettings[entry?.field as keyof Settings]
    expect(parsed(key, text)).toEqual([kept, "value-refused"])
  })
})

describe("values of which a part is used", () => {
  test.each([
    ["bind-address", "127.0.0.1, localhost", ["127.0.0.1"]],
    ["debug-connections", "10.0.0.0/8, me", ["10.0.0.0/8"]],
    ["hide-headers", "X-A, X B, X-C", ["X-A", "X-C"]],
    ["skip-access-log-urls", "/a, ~(?<uri>.)", [{ kind: "text", text: "/a" }]],
    ["ssl-protocols", "SSLv3 TLSv1 TLSv1.3", ["TLSv1", "TLSv1.3"]],
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
    const { settings, fields } = settle({ "enable-brotli": "true" }, { capabilities: noCapabilities })
    expect(settings.usesBrotli).toBe(false)
    expect(fields).toEqual(['data["enable-brotli"] value-corrected'])
    expect(settle({ "enable-brotli": "true" }).settings.usesBrotli).toBe(true)
  })

  test("so is Zstandard", () => {
    const { settings, fields } = settle(
      { "enable-zstd": "true" },
      { capabilities: { ...allCapabilities, hasZstd: false } },
    )
    expect([settings.usesZstd, fields]).toEqual([false, ['data["enable-zstd"] value-corrected']])
    expect(settle({ "enable-zstd": "true" }).settings.usesZstd).toBe(true)
  })

  test.each<[string, Record<string, string>, Partial<Surroundings>]>([
    ["an nginx without it", {}, { capabilities: { ...allCapabilities, hasHttp3: false } }],
    ["a PROXY header before everything", { "use-proxy-protocol": "true" }, {}],
    ["no TLS 1.3", { "ssl-protocols": "TLSv1.2" }, {}],
  ])("HTTP/3 is off with %s", (_, more, there) => {
    const asked = { "use-http3": "true", ...more }
    const { settings, fields } = settle(asked, there)
    expect(settings.usesHttp3).toBe(false)
    expect(fields).toEqual(['data["use-http3"] value-corrected'])
    expect(settle({ "use-http3": "true" }).settings.usesHttp3).toBe(true)
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
    parseSettings(configMap("settings", { [key]: "ingress/headers" }), defaultSettings, {
      ...around,
      configMap: find,
    })

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

describe("a key of session tickets", () => {
  const read = (text: string) => parseSettings(configMap("settings", { "ssl-session-ticket-key": text }))

  test.each([48, 80])("has %i bytes", (bytes) => {
    const text = randomBytes(bytes).toString("base64")
    const { settings, problems } = read(text)
    expect(problems).toEqual([])
    expect(settings.ticketKey?.text.reveal()).toBe(text)
    expect(settings.ticketKey?.encoding).toBe("base64")
    expect(JSON.stringify(settings)).not.toContain(text)
  })

  test("is not repeated where it is refused, nor the one that stays", () => {
    const kept = read(ticketKey).settings
    const other = randomBytes(32).toString("base64")
    const { settings, problems } = parseSettings(
      configMap("settings", { "ssl-session-ticket-key": other }),
      kept,
    )
    expect(settings.ticketKey).toBe(kept.ticketKey)
    expect(problems.map(({ message }) => message)).toEqual([
      'Key "ssl-session-ticket-key" cannot be used, so the value before it stays in force: write 48 or 80 bytes, these are 32',
    ])
  })
})

describe("parameters of Diffie-Hellman", () => {
  const read = (data: Readonly<Record<string, string>> | undefined) =>
    parseSettings(configMap("settings", { "ssl-dh-param": "ingress/dh" }), defaultSettings, {
      ...around,
      secret: (name) => (name === "ingress/dh" && data ? secretOf(data) : undefined),
    })
  const secretOf = (data: Readonly<Record<string, string>>): Secret => ({
    kind: "Secret",
    meta: configMap("dh", {}).meta,
    type: "Opaque",
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text)])),
  })
  const block = "-----BEGIN DH PARAMETERS-----\nMEYCQQ==\n-----END DH PARAMETERS-----"

  test("are what stands in the block, and nothing around it", () => {
    const { settings, problems } = read({ "dhparam.pem": `2048 bits\n${block}\nuser root;` })
    expect(problems).toEqual([])
    expect(settings.dhParam?.text.reveal()).toBe(`${block}\n`)
  })

  test.each([
    [undefined, 'there is no Secret "ingress/dh"'],
    [{ "dh.pem": block }, 'Secret "ingress/dh" has no key "dhparam.pem"'],
    [{ "dhparam.pem": "2" }, '"dhparam.pem" of Secret "ingress/dh" does not begin with DH PARAMETERS in PEM'],
    [
      { "dhparam.pem": block.replaceAll("DH PARAMETERS", "CERTIFICATE") + block },
      '"dhparam.pem" of Secret "ingress/dh" does not begin with DH PARAMETERS in PEM',
    ],
  ])("have no effect in %j", (data, reason) => {
    const { settings, problems } = read(data)
    expect(settings.dhParam).toBeUndefined()
    expect(problems.map(({ message }) => message)).toEqual([`Key "ssl-dh-param" has no effect: ${reason}`])
  })
})

test("no text of a user breaks the line of a message", () => {
  const texts = hostile.flatMap((text) => [text, `demo/${text}`, `${text}/demo`])
  const messages = keys.flatMap(({ name }) =>
    texts.flatMap((text) => {
      const { problems } = parseSettings(configMap("settings", { [name]: text }), defaultSettings, around)
      return problems.map(({ message }) => message)
    }),
  )
  expect(messages.length).toBeGreaterThan(1000)
  expect(messages.filter((message) => /[^\x20-\x7e…]/u.test(message))).toEqual([])
})

test("a field has one key, by whose name it is complained about", () => {
  expect(new Set(keys.map(({ field }) => field)).size).toBe(keys.length)
  expect(keyOf("usesBrotli")).toBe("enable-brotli")
})

describe("sizes of zones", () => {
  const mebibytes = (text: string) => {
    const [sizes, problem] = parsed("zone-sizes", text) as [Record<string, number>, string | undefined]
    return [Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size / 2 ** 20])), problem]
  }
  test.each([
    ["", {}, undefined],
    ["routes: 1g", { routes: 1024 }, undefined],
    ["routes:64M,backends : 1500k , ", { routes: 64, backends: 2 }, undefined],
    [
      "limits: 2g, nonces: 512m, auth-cache: 4g",
      { limits: 2048, nonces: 512, "auth-cache": 4096 },
      undefined,
    ],
    ["routes: 512k", {}, "value-refused"],
    ["limits: 2049m", {}, "value-refused"],
    ["nonces: 513m", {}, "value-refused"],
    ["route: 64m", {}, "value-refused"],
    ["routes", {}, "value-refused"],
    ["routes: 1m: 2m", {}, "value-refused"],
  ])("%j", (text, sizes, problem) => {
    expect(mebibytes(text)).toEqual([sizes, problem])
  })
})
