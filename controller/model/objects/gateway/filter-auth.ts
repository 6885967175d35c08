import type { Reader } from "../reader.ts"
import { isToken } from "./names.ts"
import { type BackendRef, readBackendObject } from "./references.ts"

/** A service that is asked about a request before it is passed on. */
export interface ExternalAuthFilter {
  readonly protocol: "HTTP" | "GRPC"
  readonly backend: Omit<BackendRef, "weight">
  /** before the path of the request; "": nothing */
  readonly path: string
  /** which headers it gets */
  readonly requestHeaders: readonly string[]
  /** which of its headers the backend gets; none: all that there are */
  readonly responseHeaders: readonly string[]
  /** of the request's body that it gets; 0: nothing */
  readonly bodyBytes: number
}

export function readExternalAuth(at: Reader, namespace: string): ExternalAuthFilter | undefined {
  const protocol = at.oneOf("protocol", ["HTTP", "GRPC"], "HTTP")
  const backend = at.required("backendRef", (ref) => readBackendObject(ref, namespace))
  const settings = at.expected(protocol === "HTTP" ? "http" : "grpc", readSettings)
  const bodyBytes = at.expected("forwardBody", (body) => {
    const size = body.raw("maxSize") ?? 0
    if (typeof size === "number" && Number.isSafeInteger(size) && size >= 0) return body.accepted(size)
    body.refuse("maxSize", "type-wrong", "has to be a number of bytes")
    return undefined
  })
  const usual = { path: "", requestHeaders: [], responseHeaders: [] }
  return backend && at.accepted({ protocol, backend, ...(settings ?? usual), bodyBytes: bodyBytes ?? 0 })
}

function readSettings(at: Reader) {
  return at.accepted({
    path: at.text("path"),
    requestHeaders: readHeaderNames(at, "allowedHeaders"),
    responseHeaders: readHeaderNames(at, "allowedResponseHeaders"),
  })
}

/** Names of headers; one that is none costs the whole part. */
export function readHeaderNames(at: Reader, field: string, others = ""): readonly string[] {
  return at.everyText(field, (text) =>
    isToken(text) || (others !== "" && text === others)
      ? undefined
      : { code: "token-bad", state: "has to be the name of a header" },
  )
}
