import { oneOf } from "../parser.ts"
import type { Syntax } from "../usage.ts"

/** The method that the service is asked with. */
export type AuthMethod =
  | "GET"
  | "HEAD"
  | "POST"
  | "PUT"
  | "PATCH"
  | "DELETE"
  | "CONNECT"
  | "OPTIONS"
  | "TRACE"

const word = oneOf<AuthMethod>("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE")

export const authMethod: Syntax<AuthMethod> = {
  parse: (text) => word(text.trim()),
  values: "a method of HTTP, in capitals",
}
