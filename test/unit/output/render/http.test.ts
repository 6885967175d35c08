import { describe, expect, test } from "vitest"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import type { Fixed } from "../../../../controller/model/model.ts"
import { bucketSizeFor, membership } from "../../../../controller/output/render/http/maps.ts"
import { loadRender } from "../../../../controller/output/render/render.ts"
import { fixed, httpWith, site } from "./site.ts"

const render = loadRender()

function linesOf(settings: Partial<Settings>, place: Partial<typeof site> = {}): string[] {
  const { text } = render({ ...fixed, http: httpWith(settings) }, { ...site, ...place })
  return text.split("\n").map((line) => line.trim())
}

describe("HTTP/2", () => {
  const tls = (lines: readonly string[]) => lines.filter((line) => /^listen .* ssl/.test(line)).join()

  test("is a parameter of listen where nginx has no directive for it", () => {
    const lines = linesOf({})
    expect(tls(lines)).toContain(" ssl http2 ")
    expect(lines).not.toContain("http2 on;")
  })

  test("is a directive where there is one", () => {
    const lines = linesOf({}, { hasHttp2Directive: true })
    expect(tls(lines)).not.toContain("http2")
    expect(lines).toContain("http2 on;")
  })

  test("is off when told so", () => {
    expect(linesOf({ usesHttp2: false }).join()).not.toContain("http2 ")
    expect(linesOf({ usesHttp2: false }, { hasHttp2Directive: true })).not.toContain("http2 on;")
  })
})

describe("HTTP/3", () => {
  const quic = (lines: readonly string[]) => lines.filter((line) => / quic/.test(line))
  const at9443 = { ...fixed, listeners: [{ scheme: "https", port: 9443, hasHttp3: true }] } as const

  const quicOf = (more: Partial<Fixed>) => {
    const { text } = render({ ...at9443, http: httpWith({ usesHttp3: true }), ...more }, site)
    return quic(text.split("\n").map((line) => line.trim()))
  }

  test("is off by default, and no client is told of it", () => {
    expect(linesOf({}).join()).not.toMatch(/quic|Alt-Svc/)
  })

  test("is where HTTPS is, with a socket for each worker whatever reuse-port says", () => {
    expect(quic(linesOf({ usesHttp3: true, reusesPort: false }))).toEqual([
      "listen 8443 quic default_server reuseport;",
    ])
  })

  test("is on ports of listeners that ask for it, but for those that have a UDP service", () => {
    expect(quicOf({ listeners: [{ scheme: "https", port: 9443 }] }).join()).not.toContain("9443")
    expect(quicOf({}).join()).toContain("9443 quic")
    expect(quicOf({ streams: [{ protocol: "tcp", port: 9443 }] }).join()).toContain("9443 quic")
    expect(quicOf({ streams: [{ protocol: "udp", port: 9443 }] }).join()).not.toContain("9443")
  })

  test("is told at its own ports only", () => {
    const textOf = (more: Partial<Fixed>) =>
      render({ ...at9443, http: httpWith({ usesHttp3: true }), ...more }, site).text
    expect(textOf({})).toContain('ingress_set_header Alt-Svc "h3=')
    const other = textOf({ listeners: [...at9443.listeners, { scheme: "https", port: 7443 }] })
    expect(other).toContain("ingress_set_header Alt-Svc $alternative_service tls;")
    const [, rows] = /map \$server_port \$alternative_service \{([^}]*)\}/.exec(other) ?? []
    expect(rows).toMatch(/8443 .*9443 /s)
    expect(rows).not.toContain("7443")
  })
})

describe("listeners", () => {
  test("are on all addresses when none of bind-address can be used", () => {
    const lines = linesOf({ bindAddresses: ["2001:db8::1"] }, { hasIpv6: false })
    expect(lines).toContain("listen 8080 default_server reuseport backlog=511;")
  })
})

test("nginx looks no names up: whom it connects to is the controller's to find and to judge", () => {
  expect(linesOf({}).join()).not.toContain("resolver")
})

describe("a map of texts and patterns", () => {
  const keys = (...texts: string[]) => texts.map((text) => ({ kind: "text", text }) as const)
  const map = (...texts: string[]) => membership("$a", "$b", keys(...texts), { inside: "1", outside: "0" })

  test("has each text once, whatever its case, and none that is a word of the directive", () => {
    expect(map("include", "One", "one").rows.map(({ key }) => key)).toEqual(["\\include", "\\one"])
  })

  test.each([
    ["short", 32],
    ["a".repeat(100), 128],
    ["ä".repeat(100), 256],
  ])("needs room for its longest key: %s", (text, bytes) => {
    expect(bucketSizeFor(["x", text])).toBe(bytes)
  })

  test("no keys need no room", () => {
    expect(bucketSizeFor([])).toBeLessThan(64)
  })
})

test("retries of FastCGI know no gateway errors", () => {
  const lines = linesOf({ proxyNextUpstream: "http_502 http_504" })
  expect(lines).toContain("proxy_next_upstream http_502 http_504;")
  expect(lines).toContain("fastcgi_next_upstream off;")
})

test("each network is in nginx.conf once, and none where the default of a geo stands for it", () => {
  const trustedProxies = ["0.0.0.0/0", "10.0.0.0/8", "10.1.2.3/8", "::/0", "0.0.0.0/0"]
  const lines = linesOf({ trustedProxies, usesForwardedHeaders: true, expectsProxyProtocol: true })
  const realIp = ["0.0.0.0/0", "10.0.0.0/8", "::/0"]
  expect(lines.filter((line) => line.startsWith("set_real_ip_from"))).toEqual(
    realIp.map((network) => `set_real_ip_from ${network};`),
  )
  const inGeo = ["0.0.0.0/1", "128.0.0.0/1", "10.0.0.0/8", "::/1", "8000::/1"]
  expect(lines.filter((line) => /^[0-9a-f.:]+\/\d+ 1;$/.test(line))).toEqual(
    inGeo.map((network) => `${network} 1;`),
  )
})

describe("what backends are told about the request", () => {
  const told = (settings: Partial<Settings>, httpsPort = 443) => {
    const http = httpWith(settings)
    const { text } = render({ ...fixed, http: { ...http, ports: { ...http.ports, httpsPort } } }, site)
    return ["Proto", "Port"].map(
      (name) => new RegExp(`proxy_set_header X-Forwarded-${name} (.*);`).exec(text)?.[1],
    )
  }

  test("goes through no map that changes nothing", () => {
    expect(told({})).toEqual(["$scheme", "$server_port"])
  })

  test("has the ports that clients know, where nginx listens on others", () => {
    const http = httpWith({})
    const ports = { ...http.ports, httpsPort: 443, clientPorts: { 20001: 80, 20002: 443 } }
    const { text } = render({ ...fixed, http: { ...http, ports } }, site)
    expect(text).toMatch(/map \$server_port \$asked_port \{[^}]*\b20001 80;\s*20002 443;/)
    expect(/proxy_set_header X-Forwarded-Port (.*);/.exec(text)?.[1]).toBe("$asked_port")
  })

  test("goes through those that do", () => {
    expect(told({}, 8443)).toEqual(["$scheme", "$pass_port"])
    expect(told({ usesForwardedHeaders: true })).toEqual(["$pass_access_scheme", "$pass_server_port"])
    expect(told({ expectsProxyProtocol: true })).toEqual([
      "$pass_access_scheme",
      "$proxy_protocol_server_port",
    ])
  })
})
