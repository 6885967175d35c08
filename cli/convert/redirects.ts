import { isName } from "../../controller/support/host-name.ts"
import type { Json } from "./conversion.ts"

const codes = [301, 302, 303, 307, 308]

/**
 * A redirect as a filter: to a URL, or to a path of the same host.
 *
 * @returns the reason, a sentence without its dot, where there is no such filter
 */
export function redirectTo(
  url: string,
  code: number,
): { readonly filter: Json } | { readonly because: string } {
  if (!codes.includes(code)) return { because: `Redirects have one of the statuses ${codes.join(", ")}` }
  const [, scheme, host, port, path = ""] =
    /^(?:(https?):\/\/([^/:?#]+)(?::(\d{1,5}))?)?(\/.*|)$/is.exec(url.trim()) ?? []
  if (host === undefined ? path === "" : !isName(host.toLowerCase()))
    return { because: "A redirect leads to a host or a path" }
  if (Number(port ?? 80) > 65_535 || port === "0") return { because: "A redirect has a port from 1 to 65535" }
  if (host === undefined && path.startsWith("//"))
    return { because: "A redirect to another host has its scheme" }
  if (/[?#$]/.test(path)) return { because: "A redirect has no arguments of its own, and no groups" }
  return {
    filter: redirect({
      ...(scheme !== undefined && { scheme: scheme.toLowerCase() }),
      ...(host !== undefined && { hostname: host.toLowerCase() }),
      ...(port !== undefined && { port: Number(port) }),
      path: { type: "ReplaceFullPath", replaceFullPath: path === "" ? "/" : path },
      statusCode: code,
    }),
  }
}

export function redirect(requestRedirect: Json): Json {
  return { type: "RequestRedirect", requestRedirect }
}
