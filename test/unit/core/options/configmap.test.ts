import { describe, expect, test } from "vitest"
import { defaultSettings, parseSettings } from "../../../../controller/core/options/configmap.ts"
import { keys, unneededKeys } from "../../../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../../../controller/core/options/keys/unused.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"

function configMap(data: Readonly<Record<string, string>>): ConfigMap {
  const meta = { namespace: "ingress", name: "settings", uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "ConfigMap", meta, data }
}

const read = (data: Readonly<Record<string, string>>, lastGood = defaultSettings) =>
  parseSettings(configMap(data), lastGood)

test("an empty ConfigMap gives the defaults of ingress-nginx", () => {
  expect(read({}).settings).toMatchObject({
    workerProcesses: "auto",
    clientMaxBodyBytes: 1_048_576,
    keepAliveSeconds: 75,
    logFormatUpstream: expect.stringMatching(/^\$remote_addr - \$remote_user .* \$req_id$/),
    upstreamKeepaliveConnections: 320,
    loadBalance: "round_robin",
    serviceUpstream: false,
    disableIpv6Dns: false,
    httpRedirectCode: 308,
    noTlsRedirectLocations: ["/.well-known/acme-challenge"],
    sslRedirect: true,
    forceSslRedirect: false,
    preserveTrailingSlash: false,
    usePortInRedirects: false,
    relativeRedirects: false,
    logsDefaultBackend: false,
    allowsCrossNamespaceResources: false,
    allowedResponseHeaders: [],
    errorCodes: [],
    passesErrors: false,
  })
  expect(read({}).problems).toEqual([])
})

test("every key that has an effect", () => {
  const { settings, problems } = read({
    "worker-processes": "3",
    "proxy-body-size": "8m",
    "keep-alive": "0x10",
    "log-format-upstream": "$status\t$uri\n",
    "upstream-keepalive-connections": "",
    "load-balance": "ewma",
    "service-upstream": "true",
    "disable-ipv6-dns": "true",
    "http-redirect-code": "301",
    "no-tls-redirect-locations": "/a, /b",
    "ssl-redirect": "",
    "force-ssl-redirect": "true",
    "preserve-trailing-slash": "true",
    "use-port-in-redirects": "true",
    "relative-redirects": "true",
    "enable-access-log-for-default-backend": "true",
    "allow-cross-namespace-resources": "true",
    "global-allowed-response-headers": "X-One, X-two",
    "custom-http-errors": "503, 404,503",
    "disable-proxy-intercept-errors": "true",
  })
  expect(problems).toEqual([])
  expect(settings).toMatchObject({
    workerProcesses: 3,
    clientMaxBodyBytes: 8 * 1024 ** 2,
    keepAliveSeconds: 16,
    logFormatUpstream: "$status\t$uri",
    upstreamKeepaliveConnections: 0,
    loadBalance: "ewma",
    serviceUpstream: true,
    disableIpv6Dns: true,
    httpRedirectCode: 301,
    noTlsRedirectLocations: ["/a", "/b"],
    sslRedirect: false,
    forceSslRedirect: true,
    preserveTrailingSlash: true,
    usePortInRedirects: true,
    relativeRedirects: true,
    logsDefaultBackend: true,
    allowsCrossNamespaceResources: true,
    allowedResponseHeaders: ["X-One", "X-two"],
    errorCodes: [404, 503],
    passesErrors: true,
  })
})

test("key names match in any case; the exact spelling wins", () => {
  expect(read({ "Keep-Alive": "5" }).settings.keepAliveSeconds).toBe(5)
  const both = read({ "Keep-Alive": "5", "keep-alive": "6" })
  expect(both.settings.keepAliveSeconds).toBe(6)
  expect(both.problems.map(({ field, code }) => [field, code])).toEqual([['data["Keep-Alive"]', "key-twice"]])
})

describe("an unusable value", () => {
  test.each([
    ["worker-processes", "0"],
    ["worker-processes", "many"],
    ["worker-processes", "100000"],
    ["worker-processes", ""],
    ["proxy-body-size", "8mb"],
    ["keep-alive", "-1"],
    ["http-redirect-code", "999"],
    ["http-redirect-code", "303"],
    ["load-balance", "chash"],
    ["load-balance", "EWMA"],
    ["service-upstream", "yes"],
    ["keep-alive", "75s"],
    ["log-format-upstream", "\u0007"],
    ["log-format-upstream", "\u0085"],
    ["log-format-upstream", "costs 5 $"],
    ["log-format-upstream", "$(id)"],
    ["log-format-upstream", "${status"],
    ["log-format-upstream", ""],
    ["upstream-keepalive-connections", "1e3"],
  ])("%s: %j keeps the default and is a Problem that names the key", (key, text) => {
    const { settings, problems } = read({ [key]: text })
    expect(settings).toEqual(defaultSettings)
    expect(problems).toEqual([
      {
        object: { kind: "ConfigMap", namespace: "ingress", name: "settings" },
        field: `data["${key}"]`,
        code: "value-refused",
        message: expect.stringContaining(`Key "${key}" cannot be used, so its default applies`),
      },
    ])
  })

  test("keeps the last good value, and costs the other keys nothing", () => {
    const good = read({ "keep-alive": "10" }).settings
    const { settings } = read({ "keep-alive": "ten", "proxy-body-size": "2m" }, good)
    expect(settings).toMatchObject({ keepAliveSeconds: 10, clientMaxBodyBytes: 2 * 1024 ** 2 })
  })

  test("a key that is gone has its default again, whatever was last", () => {
    const good = read({ "keep-alive": "10" }).settings
    expect(read({}, good).settings.keepAliveSeconds).toBe(75)
  })
})

test("a ConfigMap that is gone changes nothing", () => {
  const good = read({ "keep-alive": "10" }).settings
  expect(parseSettings(undefined, good)).toEqual({ settings: good, problems: [] })
})

test("a key without effect is a Problem that says why, an unknown one is, too, and one that needs nothing is none", () => {
  const { problems } = read({
    "server-name-hash-max-size": "512",
    "app-root": "/",
    "keep-alife": "1",
    zzz: "1",
  })
  expect(problems.map(({ field, code, message }) => [field, code, message])).toEqual([
    [
      'data["app-root"]',
      "key-without-effect",
      'Key "app-root" has no effect: it is an annotation, app-root, and no key',
    ],
    ['data["keep-alife"]', "key-unknown", 'Key "keep-alife" is no key of the configuration'],
    ['data["zzz"]', "key-unknown", 'Key "zzz" is no key of the configuration'],
  ])
})

test("every key of ingress-nginx 1.15 is known, in exactly one place", () => {
  const names = [...[...keys, ...unneededKeys].map(({ name }) => name), ...Object.keys(unusedKeys)]
  expect(new Set(names).size).toBe(names.length)
  const fieldOf = (wanted: string) => keys.find(({ name }) => name === wanted)?.field
  expect(fieldOf("keep-alive")).toBe("keepAliveSeconds")
  expect(fieldOf("app-root")).toBeUndefined()
})

describe("the authentication service of all Ingresses", () => {
  const host = { kind: "name", text: "auth.test" }
  const asked = { scheme: "https", host, port: 443, target: "/" }

  test("may be written in any case of the key", () => {
    const { settings, problems } = read({ "Global-Auth-URL": "https://auth.test" })
    expect([settings.globalAuthUrl, problems]).toEqual([asked, []])
  })

  test.each([
    ["global-auth-url", "no URL", "globalAuthUrl"],
    ["global-auth-method", "POST x", "globalAuthMethod"],
    ["global-auth-signin", "javascript:alert(1)", "globalAuthSignIn"],
    ["global-auth-signin-redirect-param", "a=b&c", "globalAuthRedirectParameter"],
    ["global-auth-response-headers", "X-A, X B", "globalAuthResponseHeaders"],
    ["global-auth-request-redirect", "/\nX: y", "globalAuthRequestRedirect"],
    ["global-auth-cache-key", "$no_such", "globalAuthCacheKey"],
    ["global-auth-cache-duration", "30m 200", "globalAuthCacheDurations"],
  ] as const)("%s: %j closes, with a Problem of its own", (key, text, field) => {
    const { settings, problems } = read({ [key]: text })
    expect(settings[field]).toBeNull()
    expect(problems.map(({ field, code }) => [field, code])).toEqual([[`data["${key}"]`, "value-refused"]])
    expect(problems[0]?.message).toMatch(/cannot be used, so the paths that it is for get 503/)
  })

  test("closes nothing when it is empty", () => {
    const { settings, problems } = read({ "global-auth-url": " " })
    expect([settings.globalAuthUrl, problems]).toEqual([undefined, []])
  })

  test("stays as long as the ConfigMap is gone, and where the next value is bad", () => {
    const good = read({ "global-auth-url": "https://auth.test" }).settings
    expect(parseSettings(undefined, good).settings.globalAuthUrl).toEqual(asked)
    expect(read({ "global-auth-url": "https://" }, good).settings.globalAuthUrl).toEqual(asked)
  })
})

describe("lists of clients", () => {
  const ranges = (text: string, lastGood = defaultSettings) => {
    const { allowedClients } = read({ "whitelist-source-range": text }, lastGood).settings
    return typeof allowedClients === "object" ? allowedClients.ranges : allowedClients
  }

  test("are absent when they are empty", () => {
    expect(read({}).settings).toMatchObject({ allowedClients: undefined, deniedClients: undefined })
    expect(ranges("")).toBeUndefined()
  })

  test("are as for annotations", () => {
    expect(ranges("10.1.2.3/8, ::ffff:192.0.2.1")).toEqual(["10.0.0.0/8", "192.0.2.1/32"])
    const { deniedClients } = read({ "denylist-source-range": "::1" }).settings
    expect(deniedClients).toMatchObject({ ranges: ["::1/128"] })
  })

  test.each([
    "10.0.0.0/99",
    ",",
    "10.0.0.0/8,",
    " ",
    "all",
  ])("%j closes: nobody knows who is meant", (text) => {
    expect(ranges(text)).toBe("closed")
    const { settings, problems } = read({ "denylist-source-range": text })
    expect(settings.deniedClients).toBe("closed")
    expect(problems).toMatchObject([
      {
        code: "value-refused",
        message: expect.stringContaining("cannot be used, so the paths that it is for get 503: for "),
      },
    ])
  })

  test("keep what they were when a new value cannot be read, and stay closed when they were", () => {
    const good = read({ "whitelist-source-range": "10.0.0.0/8" }).settings
    expect(ranges("10.0.0.0/88", good)).toEqual(["10.0.0.0/8"])
    const closed = read({ "whitelist-source-range": "x" }).settings
    expect(ranges("y", closed)).toBe("closed")
    expect(ranges("10.0.0.0/8", closed)).toEqual(["10.0.0.0/8"])
  })
})
