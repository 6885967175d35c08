import { mkdir, mkdtempDisposable, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { openAccess } from "../../../../../controller/input/cluster/connect/configuration.ts"
import { ServiceAccount } from "../../../../../controller/input/cluster/connect/service-account.ts"

let directory: Awaited<ReturnType<typeof mkdtempDisposable>>
const at = (name: string) => join(directory.path, name)

beforeEach(async () => {
  directory = await mkdtempDisposable(join(tmpdir(), "wick-configuration-"))
})
afterEach(async () => {
  vi.useRealTimers()
  await directory.remove()
})

const outside = { host: "", port: "" }
const inside = { host: "10.96.0.1", port: "443" }
const unset = { apiserverHost: "", certificateAuthority: "", kubeconfig: "" }

test("outside of a cluster and without flags there is nothing to start with", async () => {
  await expect(openAccess(unset, outside)).rejects.toThrow(
    "Cannot start without objects: run in a cluster, name an API server with --kubeconfig FILE or --apiserver-host URL, or a directory with --manifests DIR",
  )
})

describe("--apiserver-host", () => {
  const server = async (apiserverHost: string, certificateAuthority = "") =>
    (await openAccess({ ...unset, apiserverHost, certificateAuthority }, inside)).server.href

  test("goes before the Pod's environment, and brings no credentials", async () => {
    const access = await openAccess({ ...unset, apiserverHost: "https://api.test:6443" }, inside)
    expect(access.server.href).toBe("https://api.test:6443/")
    expect(access.origin).toBe("--apiserver-host")
    expect(await access.credentials()).toEqual({ headers: {}, tls: {}, reading: 0 })
  })

  test("with an authority believes no other", async () => {
    await writeFile(at("ca.crt"), "CA")
    const flags = { ...unset, apiserverHost: "https://api.test", certificateAuthority: at("ca.crt") }
    expect((await (await openAccess(flags, inside)).credentials()).tls).toEqual({ ca: "CA" })
  })

  test("is HTTP without a scheme, or HTTPS if there is an authority", async () => {
    await writeFile(at("ca.crt"), "CA")
    expect(await server("127.0.0.1:8001")).toBe("http://127.0.0.1:8001/")
    expect(await server("api.test:6443", at("ca.crt"))).toBe("https://api.test:6443/")
  })

  test.each(["ftp://api.test", "https://", "http://a b"])("cannot be %s", async (text) => {
    await expect(server(text)).rejects.toThrow(
      `Cannot use --apiserver-host=${text}: write https://HOST:PORT or http://HOST:PORT`,
    )
  })

  test("names an authority's file that cannot be read", async () => {
    await expect(server("https://api.test", at("absent"))).rejects.toThrow(
      `Cannot read --certificate-authority=${at("absent")}: ENOENT`,
    )
  })

  test("takes the credentials of --kubeconfig, if there is one", async () => {
    const config = {
      clusters: [{ name: "here", cluster: { server: "https://10.0.0.1" } }],
      users: [{ name: "me", user: { token: "mine" } }],
      contexts: [{ name: "usual", context: { cluster: "here", user: "me" } }],
      "current-context": "usual",
    }
    await writeFile(at("config"), JSON.stringify(config))
    const flags = { ...unset, apiserverHost: "https://api.test", kubeconfig: at("config") }
    const access = await openAccess(flags, outside)
    expect(access.server.href).toBe("https://api.test/")
    expect((await access.credentials()).headers.authorization).toBe("Bearer mine")
  })
})

describe("a Pod's service account", () => {
  async function account(token = "first\n"): Promise<ServiceAccount> {
    await writeFile(at("token"), token)
    await writeFile(at("ca.crt"), "CA")
    return new ServiceAccount(inside, directory.path)
  }

  test("is what a start without flags goes by", async () => {
    const access = await openAccess(unset, { host: "fd00::1", port: "6443" })
    expect(access.server.href).toBe("https://[fd00::1]:6443/")
    expect(access.origin).toBe("the Pod's service account")
  })

  test("is a token and an authority in files", async () => {
    const { headers, tls } = await (await account()).credentials()
    expect({ headers, tls }).toEqual({ headers: { authorization: "Bearer first" }, tls: { ca: "CA" } })
  })

  test("is read again after a minute, or when it was refused", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const access = await account()
    const first = await access.credentials()
    await writeFile(at("token"), "second")
    vi.advanceTimersByTime(59_000)
    expect(await access.credentials()).toBe(first)
    vi.advanceTimersByTime(1000)
    const second = await access.credentials()
    expect(second.headers.authorization).toBe("Bearer second")
    await writeFile(at("token"), "third")
    access.forget(first)
    expect(await access.credentials()).toBe(second)
    access.forget(second)
    expect((await access.credentials()).headers.authorization).toBe("Bearer third")
  })

  test("names the file that is not there, and what to do", async () => {
    const access = await account()
    await rm(at("token"))
    await mkdir(at("token"))
    await expect(access.credentials()).rejects.toThrow(
      `Cannot read ${at("token")} of the Pod's service account: EISDIR: illegal operation on a directory, read: set automountServiceAccountToken of the Pod, or give --kubeconfig or --apiserver-host`,
    )
  })
})
