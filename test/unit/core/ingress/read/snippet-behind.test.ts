import { expect, test } from "vitest"
import { defaultSettings } from "../../../../../controller/core/options/configmap.ts"
import { ingress, options, service, snapshot, translate } from "../../../../../harness/objects.ts"

const settings = {
  ...defaultSettings,
  serverSnippet: "deny all; add_header X-All ' y';",
  locationSnippet: "gzip_vary on; deny 192.0.2.1;",
}

function modelWith(annotations: Readonly<Record<string, string>>) {
  const objects = snapshot(ingress("demo/app", "foo.test/ → app:80", annotations), service("demo/app", "80"))
  const { model, problems } = translate(objects, settings, options)
  const routes = model.live.hosts.find(({ host }) => host === "foo.test")?.routes ?? []
  return { model, problems, routes }
}

test("a text of the ConfigMap holds beside that of an Ingress", () => {
  const { routes, problems } = modelWith({ "configuration-snippet": "deny 192.0.2.9;" })
  expect(problems).toEqual([])
  expect(routes[0]?.access?.rules?.map(({ from }) => from)).toEqual(["192.0.2.9/32", "192.0.2.1/32"])
})

test("no Ingress swallows it: a text that ends inside of a quote closes by itself", () => {
  for (const text of [
    "add_header X-Own '",
    'add_header X-Own "',
    "add_header X-Own 1; #",
    "location /x {",
    "if ($host) {",
  ]) {
    const { routes } = modelWith({ "server-snippet": text })
    const isOpen = routes.some(({ status, access }) => status === undefined && access?.rules === undefined)
    expect([text, isOpen]).toEqual([text, false])
  }
})

test("what of it is printed for all hosts makes no location and no server block of its own", () => {
  const { model } = modelWith({ "configuration-snippet": "deny 192.0.2.9;" })
  expect(model.fixed.http.snippets.servers).toEqual([{ name: "gzip_vary", args: ["on"] }])
  expect(model.fixed.locations.filter(({ text }) => text !== undefined)).toEqual([])
  expect(model.fixed.servers).toBeUndefined()
})

test("nor where the operator lets in what snippets may have kept out", () => {
  const ignoring = { ...settings, unsupportedGuards: "ignore" as const }
  const text = "add_header X-Own '"
  const objects = snapshot(
    ingress("demo/app", "foo.test/ → app:80", { "server-snippet": text }),
    service("demo/app", "80"),
  )
  const { model } = translate(objects, { ...ignoring, locationSnippet: "" }, options)
  const [route] = model.live.hosts.find(({ host }) => host === "foo.test")?.routes ?? []
  expect(route?.access?.rules).toEqual([{ action: "deny", from: "all" }])
})
