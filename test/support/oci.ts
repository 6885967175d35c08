// What a runtime needs to know to run wick's image as the kubelet asks it to: the built root file system, read-only, as user 101 without any privilege
// but the one for low ports.
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"
import { runtimeDefault } from "./seccomp.ts"

type Variant = "slim" | "full"

/** The variant that is tested. */
const testedVariant = (process.env.WICK_IMAGE_VARIANT ?? "slim") as Variant

export interface Bundle {
  readonly variant?: Variant
  /** has `hosts` and `resolv.conf` */
  readonly dir: string
  /** folder for /tmp */
  readonly tmp: string
  readonly hostname: string
  /** behind the image's entrypoint; default its command */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** read-only: path inside → folder or file outside */
  readonly mounts?: Readonly<Record<string, string>>
  /** of its control group; default none. Source: OCI runtime specification, `linux.resources` */
  readonly resources?: object
  /** default that of ports below 1024 */
  readonly capabilities?: readonly string[]
  /** file of a network namespace; default that of the test */
  readonly network?: string
}

/** What an image runs. Source: OCI image specification, `config`. */
interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
}

function configOf(variant: string): ImageConfig {
  return JSON.parse(readFileSync(join(root, `out/image/${variant}.json`), "utf8")).config
}

/** Source: OCI runtime specification; the values are what containerd makes of a Pod with the chart's securityContext. */
export function specOf(bundle: Bundle): object {
  const { variant = testedVariant, dir, tmp, hostname, mounts = {}, resources = {}, network } = bundle
  const { capabilities = ["CAP_NET_BIND_SERVICE"] } = bundle
  const image = configOf(variant)
  const args = bundle.args ?? image.Cmd
  const [uid, gid] = image.User.split(":").map(Number)
  const env = Object.entries(bundle.env ?? {}).map(([name, value]) => `${name}=${value}`)
  const namespaces = ["pid", "ipc", "uts", "mount", "cgroup"].map((type) => ({ type }))
  const bind = (destination: string, source: string, mode: string) => ({
    destination,
    source,
    type: "bind",
    options: ["rbind", mode, "nosuid", "nodev"],
  })
  return {
    ociVersion: "1.0.2",
    process: {
      user: { uid, gid },
      args: [...image.Entrypoint, ...args],
      env: [...image.Env, ...env],
      cwd: image.WorkingDir,
      capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
      noNewPrivileges: true,
    },
    root: { path: realpathSync(join(root, "out/image", variant)), readonly: true },
    hostname,
    mounts: [
      { destination: "/proc", type: "proc", source: "proc", options: ["nosuid", "noexec", "nodev"] },
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "strictatime", "mode=755"] },
      {
        destination: "/dev/shm",
        type: "tmpfs",
        source: "shm",
        options: ["nosuid", "noexec", "nodev", "mode=1777"],
      },
      { destination: "/sys", type: "sysfs", source: "sysfs", options: ["nosuid", "noexec", "nodev", "ro"] },
      {
        destination: "/sys/fs/cgroup",
        type: "cgroup",
        source: "cgroup",
        options: ["nosuid", "noexec", "nodev", "relatime", "ro"],
      },
      bind("/etc/hosts", join(dir, "hosts"), "ro"),
      bind("/etc/resolv.conf", join(dir, "resolv.conf"), "ro"),
      bind("/tmp", tmp, "rw"),
      ...Object.entries(mounts).map(([inside, outside]) => bind(inside, outside, "ro")),
    ],
    linux: {
      namespaces: [...namespaces, ...(network === undefined ? [] : [{ type: "network", path: network }])],
      resources,
      seccomp: runtimeDefault(capabilities),
      maskedPaths: ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"],
      readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    },
  }
}
