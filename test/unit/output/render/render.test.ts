import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import { loadTemplates } from "../../../../controller/output/render/engine.ts"
import { loadRender, type Stage } from "../../../../controller/output/render/render.ts"
import { hostile } from "../../../support/hostile.ts"
import { fixed, httpWith, site } from "./site.ts"

const render = loadRender()

function textOf(settings: Partial<Settings>, place: Partial<typeof site> = {}): string {
  return render({ ...fixed, http: httpWith(settings) }, { ...site, ...place }).text
}

describe("nginx.conf", () => {
  test("is the same for the same input, and has its hash in it", () => {
    const conf = render(fixed, site)
    expect(render(structuredClone(fixed), site)).toEqual(conf)
    expect(conf.hash).toMatch(/^[0-9a-f]{32}$/)
    expect(conf.text).toContain(`return 200 "${conf.hash} ${site.build}";`)
  })

  test("has another hash when anything in it is another", () => {
    const { hash } = render(fixed, site)
    expect(render({ ...fixed, locations: [] }, site).hash).not.toBe(hash)
    expect(render(fixed, { ...site, backlog: 1024 }).hash).not.toBe(hash)
  })

  test("listens on IPv6 only where there is IPv6", () => {
    expect(textOf({}, { hasIpv6: true })).toContain("listen [::]:8080 default_server")
    expect(textOf({}, { hasIpv6: false })).not.toContain("[::]")
  })

  test("names an account only when there is one to change to", () => {
    expect(textOf({})).not.toMatch(/^user /m)
    expect(textOf({}, { user: { name: "www-data", group: "web" } })).toMatch(/^user www-data web;$/m)
  })

  test("counts the machine's processors for worker_processes auto", () => {
    expect(textOf({ workerProcesses: "auto" })).toContain(`worker_processes ${site.processors};`)
    expect(textOf({ workerProcesses: 7 })).toContain("worker_processes 7;")
  })

  test("keeps no idle connections to endpoints when told so, and says it to them", () => {
    expect(textOf({})).toContain(" keepalive=320 ")
    const without = textOf({ upstreamKeepaliveConnections: 0 })
    expect(without).toContain(" keepalive=0 ")
    expect(without).toContain('"" close;')
  })

  test("listens for nothing but the controller and its commands while it is prepared", () => {
    const listens = (text: string) => text.split("\n").filter((line) => /^ *listen /.test(line))
    expect(listens(render(fixed, site, "prepared").text)).toEqual([
      `        listen unix:${site.paths.sockets.control};`,
      `        listen unix:${site.paths.sockets.explain};`,
      `        listen unix:${site.paths.sockets.explainTls} ssl;`,
    ])
    expect(listens(render(fixed, site, "serving").text)).toHaveLength(7)
  })

  test("has the listeners of the nginx whose place it takes, and accepts nobody yet", () => {
    const text = (stage: Stage) => render(fixed, site, stage).text
    const withoutHash = (conf: string) => conf.replaceAll(/[\da-f]{32}|(?<=checksum: )\d+/g, "")
    const holds = "# Another nginx serves until this one knows all routes.\ningress_accept off;\n"
    expect(withoutHash(text("holding")).replace(holds, "")).toBe(withoutHash(text("serving")))
    expect(text("holding")).toContain(holds)
  })

  test("prints a log format as one argument, whatever is in it", () => {
    // The parser of the key lets no NUL through, and printing one throws.
    for (const format of hostile.filter((text) => !text.includes("\0"))) {
      const lines = textOf({ logFormatUpstream: format }).split("\n")
      expect(lines.filter((line) => line.includes("log_format"))).toHaveLength(1)
      expect(lines).toHaveLength(textOf({}).split("\n").length)
    }
  })
})

describe("templates", () => {
  const dir = mkdtempSync(join(tmpdir(), "wick-templates-"))
  afterAll(() => rmSync(dir, { recursive: true }))

  function printed(template: string, fields: object = {}): string {
    writeFileSync(join(dir, "nginx.liquid"), template)
    return loadTemplates(dir)(fields)
  }

  test("quote what they print", () => {
    expect(printed("a {{ it }};", { it: "b; c" })).toBe('a "b; c";')
  })

  test("leave no line behind for a tag", () => {
    expect(printed("{% for it in list %}\n  {{ it }};\n{% endfor %}\nend", { list: [1, 2] })).toBe(
      "  1;\n  2;\nend",
    )
  })

  test.each([
    "{{ missing }}",
    "{{ it | missing }}",
    "{{ it | raw }}",
    "{% if missing %}{% endif %}",
  ])("fail on %s", (template) => {
    expect(() => printed(template, { it: "x" })).toThrow()
  })
})

describe("text beside ours", () => {
  const text = [{ name: "gzip_types", args: ["text/css", "a; b"] }]

  test("of a location stands there, after all of ours", () => {
    const locations = [{ name: "location-1", text }]
    const conf = render({ ...fixed, locations }, site).text
    const location = /^ {8}location @location-1 \{\n[^}]*^ {8}\}$/m.exec(conf)?.[0]
    expect(location?.split("\n").slice(-5)).toEqual([
      "",
      '            gzip_types text/css "a; b";',
      "",
      "            proxy_pass http://upstream_balancer;",
      "        }",
    ])
  })

  test("of hosts is a server block of theirs, with what the first one says of addresses left out", () => {
    const source = { kind: "Ingress", namespace: "demo", name: "app" }
    const own = [{ name: "server-1", hosts: ["*.b.test", "a.test"], text, source }]
    const settings = { reusesPort: true, expectsProxyProtocol: true, trustedProxies: [] }
    const servers = { own, shared: ["x.b.test"] }
    const place = { ...site, hasIpv6: true }
    const conf = render({ ...fixed, http: httpWith(settings), servers }, place).text
    const block = conf.slice(conf.indexOf("# Of hosts of which something is said")).split("\n    }\n")[0]
    expect(block?.split("\n").filter((line) => /^ {8}(listen|server_name|gzip)/.test(line))).toEqual([
      "        listen 8080 proxy_protocol;",
      "        listen [::]:8080 proxy_protocol;",
      "        listen 8443 ssl http2 proxy_protocol;",
      "        listen [::]:8443 ssl http2 proxy_protocol;",
      '        server_name "~^[^.]+\\\\.b\\\\.test$" a.test;',
      '        gzip_types text/css "a; b";',
    ])
    expect(block).toContain(" locations=_;")
    expect(conf).toContain("        server_name _ x.b.test;\n")
  })

  test("has room for the longest name", () => {
    const source = { kind: "Ingress", namespace: "demo", name: "app" }
    const servers = {
      own: [{ name: "server-1", hosts: [`${"a".repeat(60)}.test`], text, source }],
      shared: [],
    }
    expect(render({ ...fixed, servers }, site).text).toContain("server_names_hash_bucket_size 128;")
  })
})
