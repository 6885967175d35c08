// A DNS server over UDP and TCP, and SSH, with their own clients.
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Program, packaged, run } from "./program.ts"
import { listens, Served } from "./served.ts"

let served: Served
beforeAll(async () => {
  served = await Served.start({ dns: { protocol: "udp" }, "dns-tcp": {}, ssh: {} })
})
afterAll(() => served[Symbol.asyncDispose]())

test("DNS: by UDP, by TCP, and many questions at once", async () => {
  const [udp, tcp] = [served.place("dns"), served.place("dns-tcp")]
  // Two servers with the same names: dnsmasq has one port for both.
  const start = (port: number) => {
    const words = [
      "--keep-in-foreground",
      "--no-resolv",
      "--no-hosts",
      "--conf-file=/dev/null",
      "--user=root",
    ]
    const names = [
      "--address=/a.test/192.0.2.7",
      `--txt-record=long.test,${"t".repeat(200)},${"u".repeat(200)}`,
    ]
    const at = [`--port=${port}`, "--listen-address=127.0.0.1", "--bind-interfaces", "--pid-file="]
    return Program.start({
      program: packaged("sbin/dnsmasq"),
      args: [...words, ...names, ...at],
      isReady: () => listens(port),
    })
  }
  await using _ = await start(udp.own)
  await using __ = await start(tcp.own)
  const dig = (port: number, ...args: readonly string[]) =>
    run(packaged("bin/dig"), ["@127.0.0.1", "-p", String(port), "+short", "+tries=1", ...args])
  expect(await dig(udp.port, "a.test", "+notcp")).toBe("192.0.2.7\n")
  expect(await dig(tcp.port, "a.test", "+tcp")).toBe("192.0.2.7\n")
  expect((await dig(tcp.port, "long.test", "TXT", "+tcp")).length).toBeGreaterThan(400)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => dig(udp.port, `h${at}.a.test`)))
  expect(new Set(answers)).toEqual(new Set(["192.0.2.7\n"]))
})

/** sshd of root wants a user of its own, and this folder: in a mount namespace, the machine has neither. */
const inNamespace = `
cp /etc/passwd "$1/passwd"
grep -q ^sshd: "$1/passwd" || echo sshd:x:65534:65534::/run/sshd:/usr/sbin/nologin >>"$1/passwd"
mount --bind "$1/passwd" /etc/passwd
mount -t tmpfs none /run
mkdir -m 755 /run/sshd
shift
exec "$@"
`

test("SSH: a command, and a file both ways", async () => {
  const { port, own } = served.place("ssh")
  const dir = join(served.dir, "ssh")
  mkdirSync(dir)
  const keygen = packaged("bin/ssh-keygen")
  for (const name of ["host", "user"])
    await run(keygen, ["-q", "-t", "ed25519", "-N", "", "-f", join(dir, name)])
  const conf = [
    ["Port", own],
    ["ListenAddress", "127.0.0.1"],
    ["HostKey", join(dir, "host")],
    ["AuthorizedKeysFile", join(dir, "user.pub")],
    ["PidFile", "none"],
    ["StrictModes", "no"],
    ["UsePAM", "no"],
    ["PermitRootLogin", "yes"],
  ]
  writeFileSync(join(dir, "sshd_config"), conf.map((words) => `${words.join(" ")}\n`).join(""))
  await using _ = await Program.start({
    program: packaged("sbin/sshd"),
    args: ["-D", "-e", "-f", join(dir, "sshd_config")],
    under: ["unshare", "--mount", "sh", "-ec", inNamespace, "sh", dir],
    isReady: () => listens(own),
  })
  const options = [
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
    "BatchMode=yes",
  ]
  const words = ["-F", "none", "-i", join(dir, "user"), "-p", String(port)]
  const ssh = (command: string, input?: string) =>
    run(
      packaged("bin/ssh"),
      [...words, ...options.flatMap((option) => ["-o", option]), "root@127.0.0.1", command],
      input,
    )
  expect(await ssh("echo $SSH_CONNECTION")).toMatch(
    new RegExp(`^127\\.0\\.0\\.1 \\d+ 127\\.0\\.0\\.1 ${own}\n$`),
  )
  const text = "0123456789abcdef".repeat(512 * 1024)
  const hash = createHash("sha256").update(text).digest("hex")
  expect(await ssh("sha256sum", text)).toBe(`${hash}  -\n`)
  const back = await ssh("cat", text)
  expect([back.length, createHash("sha256").update(back).digest("hex")]).toEqual([text.length, hash])
})
