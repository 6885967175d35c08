import { createHash } from "node:crypto"
import type { Problem } from "../../model/problem.ts"
import { isLabel } from "../../support/host-name.ts"

/** What the operator gave under the name of a balancing policy. */
export interface PolicyModule {
  readonly name: string
  /** SHA-256 of its bytes, 64 hex digits */
  readonly digest: string
  /** what lies beside it as `NAME.wasm.sig` */
  readonly signature?: string
  /** its bytes; undefined when they cannot be read any more. Those of another digest are of the version after */
  readonly read: () => Promise<Uint8Array | undefined>
}

/** Modules by name, and what is wrong with others. The same object while nothing changes. */
export interface PolicySource {
  readonly modules: ReadonlyMap<string, PolicyModule>
  readonly problems: readonly Problem[]
}

export const emptySource: PolicySource = { modules: new Map(), problems: [] }

const maxModuleMebibytes = 4

/** More than any policy has: the program that compiles them takes no more either. */
export const maxModuleBytes = maxModuleMebibytes * 1024 ** 2

/** The base64 of a signature of ECDSA has about 100. */
export const maxSignatureBytes = 4096

const moduleSuffix = ".wasm"
const signatureSuffix = ".wasm.sig"

/** What a file, or a key of a ConfigMap, is by its name; undefined: of no interest. */
export function partOf(
  file: string,
): { readonly kind: "module" | "signature"; readonly name: string } | undefined {
  if (file.endsWith(signatureSuffix))
    return { kind: "signature", name: file.slice(0, -signatureSuffix.length) }
  return file.endsWith(moduleSuffix)
    ? { kind: "module", name: file.slice(0, -moduleSuffix.length) }
    : undefined
}

export function moduleFile(name: string): string {
  return `${name}${moduleSuffix}`
}

export function signatureFile(name: string): string {
  return `${name}${signatureSuffix}`
}

/** What keeps a module from being one, to be put behind a colon. */
export function moduleFault(name: string, bytes: number): string | undefined {
  if (!isLabel(name)) return "call it NAME.wasm, with lower-case letters, digits and dashes in NAME"
  return bytes > maxModuleBytes ? `it is larger than ${maxModuleMebibytes} MiB` : undefined
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
