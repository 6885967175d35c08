import { expect, test } from "vitest"
import { refusalText } from "../../../../controller/core/snippets/refusal-text.ts"
import { refusedStreams } from "../../../../controller/core/snippets/stream-servers.ts"

const told = (text: string) => refusedStreams(text, "demo").map((it) => refusalText(it, "it"))

test.each([
  ["listen 3306; proxy_pass db:3306;", '3306: "demo/db:3306" in the ConfigMap of --tcp-services-configmap'],
  [
    "listen 0.0.0.0:53 udp; proxy_pass dns.kube.svc.cluster.local:53;",
    '53: "kube/dns:53" in the ConfigMap of --udp',
  ],
  ["listen [::]:1 proxy_protocol; proxy_pass a:1;", '1: "demo/a:1:PROXY"'],
  ["listen 1; proxy_pass a:1; proxy_protocol on;", '1: "demo/a:1::PROXY"'],
  ["listen 1 proxy_protocol; proxy_pass a:1; proxy_protocol on;", '1: "demo/a:1:PROXY:PROXY"'],
  ["listen 1; proxy_pass 10.0.0.1:80;", '1: "demo/SERVICE:PORT"'],
  ["listen 1; proxy_pass $name;", '1: "demo/SERVICE:PORT"'],
  ["listen 1; proxy_pass group;", '1: "demo/a:2"'],
  ["listen 1; proxy_pass a:1; proxy_timeout 1m;", "which as JSON has limits and times, too"],
])("server { %s } has an entry that says the same", (server, entry) => {
  const [message, ...more] = told(`server { ${server} }\nupstream group { server a:2; }`)
  expect(message).toContain("an Ingress opens no ports; there is entry ")
  expect(message).toContain(entry)
  expect(more.length).toBe(server.includes("group") ? 0 : 1)
})

test("each directive says where it stands", () => {
  expect(told("upstream a { server b:1; }\nmap $a $b { default 1; }")).toEqual([
    'Cannot use directive "upstream" of it (line 1, column 1): no server of the snippet hands anything on to it',
    'Cannot use directive "map" of it (line 2, column 1): it would hold for all ports; there is ConfigMap key "stream-snippet"',
  ])
})

test("a text that cannot be read is one refusal", () => {
  expect(told("server {")).toEqual([
    expect.stringMatching(/^Cannot use it \(line 1, column \d+\): it cannot be read: /),
  ])
})
