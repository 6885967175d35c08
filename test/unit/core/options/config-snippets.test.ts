import { expect, test } from "vitest"
import {
  configSnippets,
  printedSnippets,
  rememberingConfigSnippets,
} from "../../../../controller/core/options/config-snippets.ts"
import { defaultSettings, parseSettings } from "../../../../controller/core/options/configmap.ts"
import { noObjects } from "../../../../controller/core/options/key.ts"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import { noCapabilities } from "../../../../controller/model/capabilities.ts"
import { printDirectives } from "../../../../controller/output/render/directives.ts"

const settingsOf = (texts: Partial<Settings>): Settings => ({ ...defaultSettings, ...texts })

function printed(texts: Partial<Settings>) {
  const { main, http, servers, stream } = printedSnippets(settingsOf(texts))
  const [inMain, inHttp, inServers, inStream] = [main, http, servers, stream].map((it) =>
    printDirectives(it, 0),
  )
  return { inMain, inHttp, inServers, inStream }
}

function problemsOf(data: Readonly<Record<string, string>>, lastGood = defaultSettings) {
  const meta = { namespace: "demo", name: "settings", uid: "", createdMs: 0, labels: {}, annotations: {} }
  const { settings, problems } = parseSettings({ kind: "ConfigMap", meta, data }, lastGood)
  return { settings, problems: problems.map(({ field, code, message }) => [field, code, message]) }
}

test("what no server block can say stands around all of them, the rest in those for traffic", () => {
  const httpSnippet = "map $http_a $a { default 1; ~x 2; } gzip_comp_level 3; log_format mine '$a';"
  expect(printed({ httpSnippet })).toMatchObject({
    inHttp: 'map $http_a $a {\n    default 1;\n    "~x" 2;\n}\nlog_format mine $a;',
    inServers: "gzip_comp_level 3;",
  })
})

test("of one directive in both, the server's counts", () => {
  const texts = { httpSnippet: "gzip_comp_level 3;", serverSnippet: "gzip_comp_level 4;" }
  expect(printed(texts).inServers).toBe("gzip_comp_level 4;")
})

test("text that only nginx understands is the operator's to write", () => {
  const texts = {
    mainSnippet: "env TZ=Europe/Rome;",
    httpSnippet: "server { listen 9000; return 200 'a;b'; }",
  }
  expect(printed(texts)).toMatchObject({
    inMain: "env TZ=Europe/Rome;",
    inHttp: 'server {\n    listen 9000;\n    return 200 "a;b";\n}',
  })
})

test("a snippet may name what another one declares", () => {
  const { location } = configSnippets(
    settingsOf({
      httpSnippet: "map $http_a $tier { default 1; } limit_req_zone $tier zone=of_tier:1m rate=1r/s;",
      serverSnippet: "set $mine $tier;",
      locationSnippet: "more_set_headers 'X-Tier: $tier $mine';",
    }),
  )
  expect(location.refused).toEqual([])
  const alone = configSnippets(settingsOf({ locationSnippet: "more_set_headers 'X-Tier: $tier';" }))
  expect(alone.location.refused).toMatchObject([
    { reason: expect.stringContaining('unknown "tier" variable') },
  ])
})

test("what is not in force is told, and closes when it may keep requests out", () => {
  const { settings, problems } = problemsOf({
    "main-snippet": "worker_processes 3; env TZ;",
    "location-snippet": "gzip_comp_level 3;\nauth_basic_user_file /etc/users;",
  })
  expect(settings.closedByKeys).toEqual(["all"])
  expect(problems.map(([field, code]) => [field, code])).toEqual([
    ['data["location-snippet"]', "key-guard-closes"],
    ['data["main-snippet"]', "value-cut"],
  ])
  expect(problems[0]?.[2]).toContain('directive "auth_basic_user_file" in line 2, column 1: it names a file')
  expect(problems[1]?.[2]).toContain('is used in part: directive "worker_processes" in line 1')
})

test("a text that cannot be read leaves the one before it in force; without one it closes", () => {
  const broken = { "server-snippet": "location = /x { deny all;" }
  const first = problemsOf(broken)
  expect(first.settings.closedByKeys).toEqual(["all"])
  expect(first.problems.map(([, code]) => code)).toEqual(["key-guard-closes"])
  const later = problemsOf(broken, settingsOf({ serverSnippet: "gzip_vary on;" }))
  expect(later.settings).toMatchObject({ closedByKeys: [], serverSnippet: "gzip_vary on;" })
  expect(later.problems.map(([, code]) => code)).toEqual(["value-refused"])
  expect(problemsOf({ "stream-snippet": "server {" }).settings.closedByKeys).toEqual([])
})

test("no text makes the settings fail, and a NUL never reaches nginx", () => {
  for (const text of ["\0", "a \0;", "'", "}", "map $a $b { \0 1; }", "a".repeat(5000), 'set $a "\\']) {
    const keys = [
      "main-snippet",
      "http-snippet",
      "server-snippet",
      "location-snippet",
      "global-auth-snippet",
      "stream-snippet",
    ]
    const { settings } = problemsOf(Object.fromEntries(keys.map((key) => [key, text])))
    const { main, http, servers, stream } = printedSnippets(settings)
    for (const directives of [main, http, servers, stream])
      expect(() => printDirectives(directives, 0)).not.toThrow()
  }
})

test("nobody takes a port of wick's: the text before stays, or none", () => {
  const around = {
    ...noObjects,
    capabilities: noCapabilities,
    ports: new Set([80, 443]),
    ownPorts: new Set([10254]),
  }
  const judge = (data: Readonly<Record<string, string>>, lastGood = defaultSettings) => {
    const meta = { namespace: "demo", name: "settings", uid: "", createdMs: 0, labels: {}, annotations: {} }
    return parseSettings({ kind: "ConfigMap", meta, data }, lastGood, around)
  }
  const stream = (at: string) => ({ "stream-snippet": `server { listen ${at}; proxy_pass 10.0.0.1:1; }` })
  for (const at of ["10254", "[::]:10254", "1.2.3.4:10254 udp", "80", "0.0.0.0"]) {
    const { settings, problems } = judge(
      stream(at),
      settingsOf({ streamSnippet: "map $a $b { default 1; }" }),
    )
    expect([at, settings.streamSnippet]).toEqual([at, "map $a $b { default 1; }"])
    expect(problems.map(({ code }) => code)).toEqual(["value-refused"])
    expect(judge(stream(at)).settings.streamSnippet).toBe("")
  }
  expect(judge(stream("9000")).problems).toEqual([])
  const http = judge({ "http-snippet": "server { listen 80; server_name x.test; return 204; }" })
  expect(http.problems).toEqual([])
  const own = judge({ "http-snippet": "server { listen 10254; return 204; }" })
  expect([own.settings.httpSnippet, own.problems.map(({ code }) => code)]).toEqual(["", ["value-refused"]])
})

test("the same texts are compiled once where that is remembered", () => {
  const texts = { httpSnippet: "map $http_a $a { default 1; }", locationSnippet: "add_header A $a;" }
  const compile = rememberingConfigSnippets()
  const first = compile(settingsOf(texts))
  expect(compile(settingsOf(texts))).toBe(first)
  expect(compile(settingsOf({ ...texts, httpSnippet: "" })).location.refused).toHaveLength(1)
})
