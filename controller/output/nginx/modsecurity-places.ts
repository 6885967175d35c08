import { access, constants, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { root } from "../../support/root.ts"

/** What rules of ModSecurity need. Absolute paths. */
export interface ModsecurityPlaces {
  /** checks rules; absent: it is not installed, and no rules can be used */
  readonly program?: string
  /** folder of the recommended rules and of the Core Rule Set, which need not be there */
  readonly files: string
  /** as a flag names it; absent: the system's */
  readonly library?: string
  /** changes with what is installed: what other files were checked with says nothing of these */
  readonly build: string
}

/** The flags that name other places; "" looks beside the installation. */
interface Flags {
  /** a folder */
  readonly module: string
  readonly modsecurityFiles: string
  readonly modsecurityLibrary: string
}

const built = join(root, "out")

/** Where each thing is: in a checkout, or where an image has it. */
const known = {
  modules: [join(built, "modules"), "/usr/lib/nginx/modules"],
  files: [join(built, "modsecurity"), "/etc/wick/modsecurity"],
  libraries: ["x86_64-linux-gnu", "aarch64-linux-gnu", ""].map((of) =>
    join("/usr/lib", of, "libmodsecurity.so.3"),
  ),
}

export async function findModsecurity(flags: Flags): Promise<ModsecurityPlaces> {
  const folders = flags.module === "" ? known.modules : [resolve(flags.module)]
  const program = await firstOf(
    folders.map((folder) => join(folder, "wick-waf")),
    constants.X_OK,
  )
  const given = flags.modsecurityFiles === "" ? known.files : [resolve(flags.modsecurityFiles)]
  const files = (await firstOf(given, constants.R_OK)) ?? given.at(-1) ?? "/"
  const library = flags.modsecurityLibrary === "" ? undefined : resolve(flags.modsecurityLibrary)
  const libraries = library === undefined ? known.libraries : [library]
  const concerned = [program ?? "", ...libraries, files, ...crsFiles(files)]
  return {
    ...(program !== undefined && { program }),
    files,
    ...(library !== undefined && { library }),
    build: (await Promise.all(concerned.map(lookAt))).join(" "),
  }
}

function crsFiles(folder: string): readonly string[] {
  return ["recommended.conf", "crs-4.22.0/rules", "crs-4.25.0/rules"].map((name) => join(folder, name))
}

/** Changes with a file that is replaced or written. */
async function lookAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return `${found?.size}:${found?.mtimeMs}`
}

async function firstOf(paths: readonly string[], mode: number): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path, mode).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
