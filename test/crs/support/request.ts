// What a test sends, to the byte: as go-ftw, the project's own runner, makes it of the same words, wrong lengths and broken lines included.

/** The field `input` of a test. */
export interface Input {
  readonly method?: string
  readonly uri?: string
  readonly version?: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly data?: string
  /** The whole request in base64. */
  readonly encoded_request?: string
  /** Whether what a client adds by itself is added; true by default. */
  readonly autocomplete_headers?: boolean
}

export function requestOf(input: Input): Buffer {
  if (input.encoded_request !== undefined) return Buffer.from(input.encoded_request, "base64")
  const completes = input.autocomplete_headers ?? true
  const headers = new Headers(input.headers)
  const body = bodyOf(input, headers, completes)
  if (completes) complete(headers, input.method ?? "GET", body.length)
  const line = `${input.method ?? "GET"} ${input.uri ?? "/"} ${input.version ?? "HTTP/1.1"}\r\n`
  return Buffer.concat([Buffer.from(`${line}${headers.text()}\r\n`), body])
}

/** Fields in their order, each written as it is. */
class Headers {
  readonly #fields: [string, string][]

  constructor(fields: Readonly<Record<string, string | number>> = {}) {
    this.#fields = Object.entries(fields).map(([name, value]) => [name, String(value)])
  }

  get(name: string): string | undefined {
    return this.#fields.find(([other]) => other.toLowerCase() === name)?.[1]
  }

  addMissing(name: string, value: string): void {
    if (this.get(name.toLowerCase()) === undefined) this.#fields.push([name, value])
  }

  text(): string {
    return this.#fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }
}

function bodyOf({ data = "" }: Input, headers: Headers, completes: boolean): Buffer {
  if (completes && data !== "") headers.addMissing("Content-Type", "application/x-www-form-urlencoded")
  const type = headers.get("content-type") ?? ""
  if (type.startsWith("multipart/form-data;")) return Buffer.from(data.replaceAll("\n", "\r\n"))
  const isForm = completes && type === "application/x-www-form-urlencoded"
  return Buffer.from(isForm && !isEncoded(data) ? encoded(data) : data)
}

const isEncoded = (data: string) => /[%+]/.test(data)

/** A form whose names and values are written as they are meant. */
function encoded(data: string): string {
  const word = (text: string) =>
    encodeURIComponent(text)
      .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll("%20", "+")
  return data
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=")
      return value.length === 0 ? word(name) : `${word(name)}=${word(value.join("="))}`
    })
    .join("&")
}

function complete(headers: Headers, method: string, length: number): void {
  headers.addMissing("Connection", "close")
  if (length > 0 || /^POST|PUT|PATCH|DELETE$/.test(method))
    headers.addMissing("Content-Length", String(length))
}
