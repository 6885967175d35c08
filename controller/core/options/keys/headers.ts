import type { Headers, TemplateHeader } from "../../../model/http/requests.ts"
import type { ConfigMap } from "../../../model/objects/config-map.ts"
import { shown } from "../../../model/shown.ts"
import { compareText } from "../../../support/order.ts"
import { withoutCredentials } from "../credentials.ts"
import { type EntriesFor, family, type KeySyntax, key } from "../key.ts"
import { accepted, type Parsed, type Parser, qualified, refused } from "../parser.ts"
import { values } from "../usage.ts"
import { falseByDefault } from "./syntax.ts"
import { headerName, headerNames, line } from "./texts.ts"

/** They say where a message ends, which is nginx's business. */
const framing = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"])

const responseHeaderName: Parser<string> = (text) =>
  framing.has(text.toLowerCase()) ? refused("it says where a message ends") : headerName.parse(text)

const requestHeaderName: Parser<string> = (text) =>
  ["content-length", "transfer-encoding"].includes(text.toLowerCase())
    ? refused("it says where a message ends")
    : headerName.parse(text)

/** `namespace/name` of a ConfigMap whose entries are headers; values may have nginx's variables. */
function headersOf(name: Parser<string>, value: Parser<string>): KeySyntax<readonly TemplateHeader[]> {
  return {
    values: values.configMap,
    parse: (text, objects) => {
      const parsed = qualified(text)
      if (parsed.kind === "refused") return parsed
      if (parsed.value === undefined) return accepted([])
      const data = objects.configMap(`${parsed.value.namespace}/${parsed.value.name}`)?.data
      return data === undefined ? refused(`there is no ConfigMap ${shown(text)}`) : usable(data, name, value)
    },
  }
}

function usable(
  data: ConfigMap["data"],
  parseName: Parser<string>,
  parseValue: Parser<string>,
): Parsed<readonly TemplateHeader[]> {
  const parsed = Object.entries(data)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]) => ({
      header: { name, value },
      fault: faultOf(parseName(name)) ?? faultOf(parseValue(value)),
      name,
    }))
  const good = parsed.filter(({ fault }) => fault === undefined)
  const bad = parsed.find(({ fault }) => fault !== undefined)
  const remark = bad && `header ${shown(bad.name)} is left out: ${bad.fault}`
  return { ...accepted(good.map(({ header }) => header)), ...(remark !== undefined && { remark }) }
}

function faultOf(parsed: Parsed<string>): string | undefined {
  return parsed.kind === "refused" ? parsed.reason : undefined
}

export const headers = family("Headers", {
  showsServer: falseByDefault(
    "server-tokens",
    "whether responses have a `Server` header with nginx's name and version",
  ),
  passesServer: falseByDefault(
    "allow-backend-server-header",
    "whether the backend's `Server` header is passed on; a backend that sends none gets none. Needs `server-tokens`",
  ),
  hidden: key("hide-headers", headerNames, "", {
    example: "X-Powered-By",
    description: "response headers of backends that clients do not get",
  }),
  added: key("add-headers", headersOf(responseHeaderName, withoutCredentials(line)), "", {
    example: "shop/headers",
    description: "its entries are headers of every response",
  }),
  setForBackends: key("proxy-set-headers", headersOf(requestHeaderName, line), "", {
    example: "shop/headers",
    description: "its entries are headers of every request to a backend; variables allowed",
  }),
} satisfies EntriesFor<Headers>)
