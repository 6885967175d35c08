// What `wick explain` says of a request that is not served as its Ingress means it, held against what nginx answers; and `wick problems` beside it.
import { expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { runSubCommand } from "../../support/sub-command.ts"
import { asks, authSite } from "./external-auth-site.ts"

const at = authSite()

async function said(name: string, ...args: readonly string[]): Promise<string> {
  const { failure, said } = await runSubCommand(name, ...args, "--runtime-dir", at.site.wick.runtimeDir)
  expect(failure).toBeUndefined()
  return said
}

/** The last line, and all of it. */
async function explained(url: string, ...flags: readonly string[]) {
  const text = await said("explain", url, ...flags)
  return { text, gets: text.trimEnd().split("\n").at(-1) ?? "" }
}

test("the authentication service is asked only if that is wanted, as it is asked for a client", async () => {
  await at.protect({ "auth-url": `${asks["auth-url"]}?for=$escaped_request_uri` })
  const url = "http://foo.test/x?y=1"
  expect((await explained(url)).gets).toBe(
    "The client gets what backend demo-app-80 answers, if it gets in by the authentication service",
  )
  expect(at.service.asked).toEqual([])
  const { text, gets } = await explained(url, "--ask-auth", "--header", "Cookie: s=1")
  expect(gets).toBe("The client gets what backend demo-app-80 answers")
  expect(text).toContain("the service was asked, and lets the request in")
  expect(at.service.asked).toMatchObject([
    {
      url: "/verify?for=%2Fx%3Fy%3D1",
      headers: {
        cookie: "s=1",
        host: "auth.demo.svc.cluster.local",
        "x-original-url": "http://foo.test/x?y=1",
      },
    },
  ])
  expect(at.service.asked[0]?.headers).not.toHaveProperty("x-wick-ask-service")
  expect(at.backend.asked).toEqual([])
})

test.each([
  [401, {}, "The client gets 401, as its authentication service says so", 401],
  [403, {}, "The client gets 403, as its authentication service says so", 403],
  [503, {}, "The client gets 500, as its authentication service says so", 500],
  [401, { "auth-signin": "https://login.test/" }, "The client gets 302 to https://login.test/", 302],
] as const)("a service that answers %i (%j) decides", async (status, annotations, sentence, gets) => {
  at.says({ status })
  await at.protect(annotations)
  expect((await explained("http://foo.test/", "--ask-auth")).gets).toContain(sentence)
  expect(await at.status()).toBe(gets)
})

test("a service that is missing is 500, with its Problem and what to do", async () => {
  await at.put(
    ingress("demo/app", "foo.test/ → app:80", { "auth-url": "http://gone.demo.svc.cluster.local/verify" }),
  )
  const { text, gets } = await explained("http://foo.test/")
  expect(gets).toBe("The client gets 500, as its authentication service has no endpoint that could be asked")
  expect(await at.status()).toBe(500)
  expect(text).toMatch(/error auth-service-unusable of demo\/app: .*"gone\.demo\.svc\.cluster\.local"/)
  expect(text).toContain("to do: Create the Service, or correct the URL")
})

test("a Secret that is missing is named", async () => {
  await at.put(ingress("demo/app", "foo.test/ → app:80", { "auth-type": "basic", "auth-secret": "none" }))
  const { gets } = await explained("http://foo.test/")
  expect(gets).toMatch(/^The client gets 503: .*Secret "demo\/none".* does not exist/)
  expect(await at.status()).toBe(503)
})

test("a pattern that does not compile is named, and its path goes elsewhere", async () => {
  await at.put(
    ingress("demo/app", "foo.test/ → app:80"),
    ingress("demo/broken", "foo.test/api/(v1 ~→ app:80", { "use-regex": "true" }),
  )
  await until("the Problem", async () => (await said("problems", "-o", "name")) === "Ingress/demo/broken\n")
  const { text } = await explained("http://foo.test/api/v1")
  expect(text).toMatch(
    /foo\.test +\/api\/\(v1 +regex +demo\/broken +does not compile as a regular expression/,
  )
  expect(text).toContain("error bad-pattern of demo/broken: ")
})

test("what stands is listed by code, narrowed down, and in other formats", async () => {
  const many = Array.from({ length: 5 }, (_, nth) => ingress(`demo/i${nth}`, `h${nth}.test/ → none:80`))
  await at.put(...many, ingress("demo/app", "foo.test/ → app:80", { "proxy-send-timeout": "soon" }))
  const list = await said("problems")
  expect(list).toMatch(/^CODE +SEVERITY +COUNT +OBJECTS\n/)
  expect(list).toMatch(/backend-unusable +error +5 +Ingress "demo\/i0", Ingress "demo\/i1" and 3 more/)
  const one = await said("problems", "--ingress", "demo/app")
  expect(one).toMatch(
    /^annotation-refused \(error, 1 Problem\)\n {2}Correct the value as the message says\.\n {2}Ingress "demo\/app" /,
  )
  expect(await said("problems", "--severity", "info")).toBe("There are no Problems, as far as was asked\n")
  expect(await said("problems", "-n", "elsewhere", "-o", "name")).toBe("")
  expect(await said("problems", "-n", "elsewhere", "-A", "-o", "name")).toContain("Ingress/demo/i4\n")
  const [group] = JSON.parse(await said("problems", "--code", "BackendUnusable", "-o", "json"))
  expect(group).toMatchObject({ code: "backend-unusable", severity: "error", count: 5 })
  expect(group.problems[4].object).toEqual({ kind: "Ingress", namespace: "demo", name: "i4" })
  expect(await said("problems", "--code", "backend-unusable", "-o", "yaml")).toMatch(
    /^- code: backend-unusable\n/,
  )
  expect(await said("problems", "-o", "wide")).toContain('Ingress "demo/i4" ')
})

test.each([
  [["--severity", "bad"], "Cannot use --severity=bad, write error or warning or info"],
  [["--code", "backend-unusble"], 'No Problem has the code "backend-unusble", did you mean backend-unusable'],
  [["--ingress", "app"], "Cannot use --ingress=app, write NAMESPACE/NAME"],
  [["--runtime-dir", "/nowhere"], 'Cannot ask a controller in "/nowhere"'],
])("wick problems %j says what is wrong", async (args, sentence) => {
  expect((await runSubCommand("problems", ...args)).failure).toContain(sentence)
})
