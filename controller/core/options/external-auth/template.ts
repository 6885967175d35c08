import { withKnownVariables } from "../known-variables.ts"
import { decodedVariables, variablesIn } from "../nginx-variables.ts"
import { type Parsed, refused } from "../parser.ts"
import { maxTextBytes } from "../text-sizes.ts"

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write
const inUrl = { allowed: /^[-._~A-Za-z0-9/:,?&=$%+{}]*$/, words: "- . _ ~ / : , ? & = % + $name ${name}" }

/** Part of a URL behind its host, with nginx's variables: nothing in it may end a request line or a header. */
export function urlTemplate(text: string): Parsed<string> {
  if (Buffer.byteLength(text) > maxTextBytes) return refused(`write at most ${maxTextBytes} bytes`)
  if (!inUrl.allowed.test(text)) return refused(`write letters, digits and ${inUrl.words} only`)
  const decoded = variablesIn(text)?.find((name) => decodedVariables.has(name.toLowerCase()))
  if (decoded !== undefined)
    return refused(`$${decoded} may hold line breaks, $request_uri is as the client sent it`)
  if (/\$[1-9]/.test(text)) return refused("groups of a path may hold line breaks, write none")
  return withKnownVariables(text)
}

/** Variables that hold the host of a request, as `$name` or `${name}`, in a pattern. */
export const hostVariable = String.raw`\$(?:\{(?:host|http_host|best_http_host|server_name)\}|(?:host|http_host|best_http_host|server_name)(?!\w))`
