/** policy.yaml beside a policy: what it promises, and the requests that it is tried with. */
import { existsSync, readFileSync } from "node:fs"
import { parse } from "yaml"
import { limits } from "./abi.ts"
import { Failure } from "./failure.ts"
import type { Asked } from "./instance.ts"

export interface Description {
  readonly promises: { readonly even: boolean; readonly sticky: boolean }
  readonly request: Template
  readonly config: string
}

/** Texts in which `{n}` stands for a number, and `base64url(…)` for what it says. */
interface Template {
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: Readonly<Record<string, string>>
}

/** @throws Failure naming what cannot be read */
export function describe(file: string): Description {
  return existsSync(file) ? read(file) : described(new Reader("policy.yaml", {}))
}

function read(file: string): Description {
  try {
    return described(new Reader(file, parse(readFileSync(file, "utf8")) ?? {}))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`Cannot read ${file}: ${(error as Error).message.split("\n")[0]}`)
  }
}

function described(all: Reader): Description {
  all.allow("promises", "request", "config")
  const promises = all.part("promises").allow("even", "sticky")
  const request = all.part("request").allow("key", "headers", "cookies")
  const config = all.text("config") ?? ""
  if (Buffer.byteLength(config) > limits.configBytes)
    throw new Failure("policy.yaml: config has more than 16 KiB")
  return {
    promises: { even: promises.flag("even"), sticky: promises.flag("sticky") },
    request: {
      key: request.text("key"),
      headers: request.texts("headers"),
      cookies: request.texts("cookies"),
    },
    config,
  }
}

/** The request of the n-th client; without a key of its own it has `path`. */
export function requestOf({ request }: Description, n: number, path = `/item/${n}`): Asked {
  const filled = (text: string) =>
    text
      .replaceAll("{n}", String(n))
      .replaceAll(/base64url\((.*?)\)/g, (_, plain: string) => Buffer.from(plain).toString("base64url"))
  const all = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text)]))
  return {
    key: request.key === undefined ? path : filled(request.key),
    headers: { ":path": path, ":method": "GET", ":authority": "shop.test", ...all(request.headers) },
    cookies: all(request.cookies),
  }
}

/** Fields of an object of the file. */
class Reader {
  readonly #where: string
  readonly #fields: Record<string, unknown>

  constructor(where: string, value: unknown) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Failure(`${where} must have fields, as in "even: true"`)
    }
    this.#where = where
    this.#fields = value as Record<string, unknown>
  }

  allow(...names: readonly string[]): this {
    const unknown = Object.keys(this.#fields).find((name) => !names.includes(name))
    if (unknown === undefined) return this
    throw new Failure(`${this.#where}: "${unknown}" is unknown; there are ${names.join(", ")}`)
  }

  part(name: string): Reader {
    return new Reader(`${this.#where}: ${name}`, this.#fields[name] ?? {})
  }

  flag(name: string): boolean {
    const value = this.#fields[name] ?? false
    if (typeof value === "boolean") return value
    throw new Failure(`${this.#where}: "${name}" must be true or false`)
  }

  text(name: string): string | undefined {
    const value = this.#fields[name] ?? undefined
    if (value === undefined || typeof value === "string") return value
    throw new Failure(`${this.#where}: "${name}" must be a text, in quotes if it looks like a number`)
  }

  texts(name: string): Record<string, string> {
    const part = this.part(name)
    return Object.fromEntries(Object.keys(part.#fields).map((field) => [field, part.text(field) ?? ""]))
  }
}
