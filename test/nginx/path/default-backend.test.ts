// Who answers what no rule asks for, on a real nginx from YAML to answer. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ingress, service } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const unknown = { host: "unknown.test" }

describe("without flags", () => {
  let site: Site
  beforeAll(async () => {
    site = await Site.start(["echo", "other"])
  })
  afterAll(() => site[Symbol.asyncDispose]())
  afterEach(() => site.expectOnlyPosts())

  const services = () => [...site.service("echo", "echo"), ...site.service("other", "other")]

  test("1: without any Ingress everything is answered 404", async () => {
    await site.put()
    for (const question of [{}, unknown, { method: "POST", body: "x" }, { host: "" }]) {
      expect((await site.get("/any/path?x", question)).status).toBe(404)
    }
  })

  test("6: a default backend alone serves every unknown host", async () => {
    await site.put(...services(), ingress("demo/all", "* → echo:80"))
    expect(await site.get("/any", unknown)).toMatchObject({ status: 200, body: "echo" })
  })

  test("7: a default backend serves the host of a rule without paths, and no other", async () => {
    await site.put(...services(), ingress("demo/one", ["* → echo:80", "only-backend.test"]))
    expect((await site.get("/x", { host: "only-backend.test" })).body).toBe("echo")
    expect((await site.get("/x", unknown)).status).toBe(404)
  })

  test("9: of two catch-alls the older one serves", async () => {
    const [young, old] = [ingress("demo/a", "* → other:80", {}, 2), ingress("demo/b", "* → echo:80", {}, 1)]
    await site.put(...services(), young, old)
    expect((await site.get("/", unknown)).body).toBe("echo")
  })

  test("11: other paths of a host are answered 404", async () => {
    await site.put(...services(), ingress("demo/one", "foo.test/foo → echo:80"))
    expect((await site.get("/bar")).status).toBe(404)
    expect((await site.get("/foo")).body).toBe("echo")
  })
})

describe("with --disable-catch-all", () => {
  let site: Site
  beforeAll(async () => {
    site = await Site.start(["echo"], { flags: ["--disable-catch-all"] })
  })
  afterAll(() => site[Symbol.asyncDispose]())
  afterEach(() => site.expectOnlyPosts())

  test("12: a default backend alone serves nobody", async () => {
    await site.put(...site.service("echo", "echo"), ingress("demo/all", "* → echo:80"))
    expect((await site.get("/", unknown)).status).toBe(404)
    await site.untilProblem("catch-all-disabled")
  })

  test("14: an Ingress that becomes a default backend alone loses its host", async () => {
    await site.put(...site.service("echo", "echo"), ingress("demo/one", "foo.test/ → echo:80"))
    expect((await site.get("/")).status).toBe(200)
    await site.put(...site.service("echo", "echo"), ingress("demo/one", "* → echo:80"))
    expect((await site.get("/")).status).toBe(404)
  })
})

describe("with --default-backend-service", () => {
  let site: Site
  beforeAll(async () => {
    site = await Site.start(["echo"], { flags: ["--default-backend-service=demo/fallback"] })
  })
  afterAll(() => site[Symbol.asyncDispose]())
  afterEach(() => site.expectOnlyPosts())

  test("4: a Service without endpoints leaves the 404 of our own, its first endpoint takes over", async () => {
    await site.put(service("demo/fallback"))
    expect((await site.get("/", unknown)).status).toBe(404)
    await site.put(...site.service("fallback", "echo"))
    await until("the default backend to answer", async () => (await site.get("/", unknown)).body === "echo")
    expect((await site.get("/other/path")).body).toBe("echo")
  })
})
