import { chmod, mkdtempDisposable, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Credentials } from "../../../../../controller/input/cluster/connect/credentials.ts"
import { Kubeconfig } from "../../../../../controller/input/cluster/connect/kubeconfig.ts"
import type { Override } from "../../../../../controller/input/cluster/connect/kubeconfig-file.ts"

let directory: Awaited<ReturnType<typeof mkdtempDisposable>>
const at = (name: string) => join(directory.path, name)

beforeEach(async () => {
  directory = await mkdtempDisposable(join(tmpdir(), "wick-kubeconfig-"))
})
afterEach(() => directory.remove())

interface Parts {
  readonly cluster?: object
  readonly user?: object
  readonly rest?: object
}

/** Opens a file with one cluster and one user. */
async function open({ cluster, user, rest }: Parts, override: Partial<Override> = {}): Promise<Kubeconfig> {
  const content = {
    clusters: [{ name: "here", cluster: { server: "https://10.0.0.1:6443", ...cluster } }],
    users: [{ name: "me", user: { ...user } }],
    contexts: [{ name: "usual", context: { cluster: "here", user: "me" } }],
    "current-context": "usual",
    ...rest,
  }
  await writeFile(at("config"), JSON.stringify(content))
  return Kubeconfig.open(at("config"), { server: undefined, ca: undefined, ...override })
}

async function authorization(access: Kubeconfig): Promise<string | undefined> {
  return (await access.credentials()).headers.authorization
}

const pem = (text: string) => Buffer.from(text).toString("base64")

test("its server and its name", async () => {
  const access = await open({ cluster: { server: "https://example.test/k8s/clusters/c-1/" } })
  expect(access.server.href).toBe("https://example.test/k8s/clusters/c-1")
  expect(access.origin).toBe(`--kubeconfig=${at("config")}`)
})

describe("who answers is proved by", () => {
  test("the authority in the file or beside it, and by the name that is to be expected", async () => {
    await writeFile(at("ca.crt"), "CA of a file")
    const beside = await open({
      cluster: { "certificate-authority": "ca.crt", "tls-server-name": "api.test" },
    })
    const { tls } = await beside.credentials()
    expect(tls).toMatchObject({ servername: "api.test" })
    expect(String(tls.ca)).toBe("CA of a file")
    const inside = await open({ cluster: { "certificate-authority-data": pem("CA inside") } })
    expect(String((await inside.credentials()).tls.ca)).toBe("CA inside")
  })

  test("that of --certificate-authority, for the server of --apiserver-host", async () => {
    const server = new URL("https://10.9.9.9")
    const cluster = { "certificate-authority": "absent.crt" }
    const access = await open({ cluster, user: { token: "mine" } }, { server, ca: "CA of a flag" })
    const { tls, headers } = await access.credentials()
    expect(access.server.href).toBe("https://10.9.9.9/")
    expect(String(tls.ca)).toBe("CA of a flag")
    expect(headers.authorization).toBe("Bearer mine")
  })

  test("nothing where the file says so, and with plain HTTP", async () => {
    const careless = await open({ cluster: { "insecure-skip-tls-verify": true } })
    expect((await careless.credentials()).tls).toEqual({ rejectUnauthorized: false })
    const plain = await open({ cluster: { server: "http://127.0.0.1:8001" }, user: { token: "mine" } })
    expect(await authorization(plain)).toBe("Bearer mine")
  })
})

describe("who asks is proved by", () => {
  test("a token", async () => {
    expect(await authorization(await open({ user: { token: "mine" } }))).toBe("Bearer mine")
  })

  test("a token in a file beside it, which may end with a line break, and is read again when it was refused", async () => {
    await writeFile(at("token"), "first\n")
    const access = await open({ user: { tokenFile: "token", token: "of no use" } })
    const used = await access.credentials()
    expect(used.headers.authorization).toBe("Bearer first")
    await writeFile(at("token"), "second\n")
    expect(await authorization(access)).toBe("Bearer first")
    access.forget(used)
    expect(await authorization(access)).toBe("Bearer second")
  })

  test("a name and a password", async () => {
    const access = await open({ user: { username: "me", password: "secret" } })
    expect(await authorization(access)).toBe(`Basic ${pem("me:secret")}`)
  })

  test("a certificate, of now", async () => {
    await writeFile(at("me.crt"), "first")
    await writeFile(at("me.key"), "key")
    const access = await open({ user: { "client-certificate": "me.crt", "client-key": "me.key" } })
    expect(String((await access.credentials()).tls.cert)).toBe("first")
    await writeFile(at("me.crt"), "second")
    const { tls } = await access.credentials()
    expect([String(tls.cert), String(tls.key)]).toEqual(["second", "key"])
  })

  test("speaking for somebody else", async () => {
    const access = await open({ user: { token: "mine", as: "boss" } })
    expect((await access.credentials()).headers).toEqual({
      authorization: "Bearer mine",
      "impersonate-user": "boss",
    })
  })
})

describe("a command that gives credentials", () => {
  /** Writes a shell script that notes each run. */
  async function command(script: string): Promise<object> {
    await writeFile(at("login.sh"), `#!/bin/sh\necho run >>"$(dirname "$0")/runs"\n${script}\n`)
    await chmod(at("login.sh"), 0o700)
    return { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./login.sh", args: ["x"] } }
  }
  const runs = async () => (await readFile(at("runs"), "utf8")).trim().split("\n").length
  const credential = (status: object) =>
    `echo '${JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status })}'`

  test("is found beside the file, told what is wanted, and run once for all who ask", async () => {
    const script = `echo "$KUBERNETES_EXEC_INFO" >"$(dirname "$0")/info"\n${credential({ token: "given" })}`
    const access = await open({ user: await command(script) })
    const all = await Promise.all(Array.from({ length: 5 }, () => authorization(access)))
    expect(new Set(all)).toEqual(new Set(["Bearer given"]))
    expect(await runs()).toBe(1)
    expect(JSON.parse(await readFile(at("info"), "utf8"))).toEqual({
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      spec: { interactive: false },
    })
  })

  test("may give a certificate", async () => {
    const status = { clientCertificateData: "certificate", clientKeyData: "key" }
    const { tls } = await (await open({ user: await command(credential(status)) })).credentials()
    expect(tls).toEqual({ cert: "certificate", key: "key" })
  })

  test("is run again when what it gave was refused, once for all who had it", async () => {
    const access = await open({ user: await command(credential({ token: "given" })) })
    const [first, second] = [await access.credentials(), await access.credentials()]
    expect(await runs()).toBe(1)
    access.forget(first)
    await access.credentials()
    access.forget(second)
    await access.credentials()
    expect(await runs()).toBe(2)
  })

  test.each([
    ["fails", "echo no login >&2; exit 3", "no login"],
    ["fails without a word", "exit 3", "its command fails"],
    ["gives no JSON", "echo token-without-json", "its command gives no credentials"],
    ["gives no credentials", "echo '{}'", "its command gives no credentials"],
  ])("is told of when it %s", async (_, script, words) => {
    const access = await open({ user: await command(script) })
    const error: unknown = await access.credentials().catch((reason: unknown) => reason)
    expect(String(error)).toContain(`Cannot use --kubeconfig=${at("config")}: ${words}`)
    expect(inspect(error)).not.toContain("token-without-json")
  })

  test("is run again after it has failed", async () => {
    const script = `[ "$(wc -l <"$(dirname "$0")/runs")" -gt 1 ] || exit 3\n${credential({ token: "given" })}`
    const access = await open({ user: await command(script) })
    await expect(access.credentials()).rejects.toThrow("its command fails")
    expect(await authorization(access)).toBe("Bearer given")
  })
})

test("a proxy is gone through", async () => {
  const { agent }: Credentials = await (
    await open({ cluster: { "proxy-url": "http://10.0.0.2:3128" } })
  ).credentials()
  expect(agent).toMatchObject({ proxy: new URL("http://10.0.0.2:3128") })
})

describe("a file that cannot be used is named, with the reason", () => {
  test.each<[string, Parts, string]>([
    ["no current context", { rest: { "current-context": undefined } }, "its current-context is not there"],
    [
      "a context that is not there",
      { rest: { "current-context": "other" } },
      'its context "other" is not there',
    ],
    ["a cluster that is not there", { rest: { clusters: [] } }, 'its cluster "here" is not there'],
    ["a user that is not there", { rest: { users: [] } }, 'its user "me" is not there'],
    [
      "a server that is none",
      { cluster: { server: "nonsense" } },
      'the server of its cluster "here" is no URL',
    ],
    ["a nameless user", { rest: { users: [{}] } }, "users[0].name is missing"],
  ])("%s", async (_, parts, reason) => {
    await expect(open(parts)).rejects.toThrow(`Cannot use --kubeconfig=${at("config")}: ${reason}`)
  })

  test.each([
    ["text", "it has to be a YAML mapping"],
    ["", "it has to be a YAML mapping"],
    ["a: [", "Flow sequence"],
  ])("%j", async (text, reason) => {
    await writeFile(at("config"), text)
    await expect(Kubeconfig.open(at("config"), { server: undefined, ca: undefined })).rejects.toThrow(reason)
  })

  test("a file of a token that is not there", async () => {
    const access = await open({ user: { tokenFile: "absent" } })
    await expect(access.credentials()).rejects.toThrow(`${at("absent")}`)
  })
})
