import { hostPort } from "../../../controller/support/address.ts"
import type { Side } from "../sides.ts"
import type { DiffRequest } from "./request.ts"
import { shownHeaders, shownUrl } from "./secrets.ts"

/** What curl has to be told about both sides, besides where they are. */
export interface CurlOptions {
  readonly isInsecure: boolean
  /** files; "" for none */
  readonly netrc: string
  readonly authorities: string
}

/** One line for a shell, which shows the answers of both sides. Secrets of the request are left out. */
export function curlOf(request: DiffRequest, sides: readonly Side[], options: CurlOptions): string {
  const addresses = sides.flatMap((side) => side[request.scheme] ?? [])
  const places = addresses.map(({ host, port }) => hostPort(host, port))
  const words = ["curl", ...wordsOf(request, options).map(quoted)]
  return `for at in ${places.map(quoted).join(" ")}; do ${words.join(" ")} --connect-to "::$at"; done`
}

function wordsOf(request: DiffRequest, { isInsecure, netrc, authorities }: CurlOptions): readonly string[] {
  const { scheme, host, target, method, body, hasCredentials } = request
  return [
    "-sSi",
    "--path-as-is",
    "-g",
    ...(method === "GET" ? [] : method === "HEAD" ? ["-I"] : ["-X", method]),
    ...Object.entries(shownHeaders(request)).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(body === undefined ? [] : ["--data-binary", `@BODY-OF-${Buffer.byteLength(body)}-BYTES`]),
    ...(hasCredentials && netrc !== "" ? ["--netrc-file", netrc] : []),
    ...(scheme === "https" && authorities !== "" ? ["--cacert", authorities] : []),
    ...(scheme === "https" && isInsecure ? ["-k"] : []),
    `${scheme}://${host}${target === "*" ? "/" : shownUrl(target)}`,
    ...(target === "*" ? ["--request-target", "*"] : []),
  ]
}

/** As a shell of POSIX takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
