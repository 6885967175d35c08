import type { Headers, TemplateHeader } from "../../../model/http/headers.ts"
import type { ConfigMap } from "../../../model/objects/config-map.ts"
import { byText } from "../../../support/order.ts"
import { type KeyParser, type Keys, key } from "../key.ts"
import { accepted, type Parsed, type Parser, qualified, refused } from "../values.ts"
import { headerName, line, listOf, onOff } from "./parsers.ts"

/** They say where a message ends, which is nginx's business. */
const framing = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"])

const responseHeaderName: Parser<string> = (text) =>
  framing.has(text.toLowerCase()) ? refused("it says where a message ends") : headerName(text)

const requestHeaderName: Parser<string> = (text) =>
  ["content-length", "transfer-encoding"].includes(text.toLowerCase())
    ? refused("it says where a message ends")
    : headerName(text)

/** `namespace/name` of a ConfigMap whose entries are headers; values may have nginx's variables. */
function headersOf(name: Parser<string>): KeyParser<readonly TemplateHeader[]> {
  return (text, objects) => {
    const parsed = qualified(text)
    if (parsed.kind === "refused") return parsed
    if (parsed.value === undefined) return accepted([])
    const data = objects.configMap(`${parsed.value.namespace}/${parsed.value.name}`)?.data
    return data === undefined ? refused(`there is no ConfigMap ${text}`) : usable(data, name)
  }
}

function usable(data: ConfigMap["data"], parseName: Parser<string>): Parsed<readonly TemplateHeader[]> {
  const parsed = Object.entries(data)
    .sort(byText(([name]) => name))
    .map(([name, value]) => ({
      header: { name, value },
      fault: faultOf(parseName(name)) ?? faultOf(line(value)),
      name,
    }))
  const good = parsed.filter(({ fault }) => fault === undefined)
  const bad = parsed.find(({ fault }) => fault !== undefined)
  const remark = bad && `header ${JSON.stringify(bad.name)} is left out: ${bad.fault}`
  return { ...accepted(good.map(({ header }) => header)), ...(remark !== undefined && { remark }) }
}

function faultOf(parsed: Parsed<string>): string | undefined {
  return parsed.kind === "refused" ? parsed.reason : undefined
}

export const headers: Keys<Headers> = {
  showsServer: key("server-tokens", onOff, "false"),
  passesServer: key("allow-backend-server-header", onOff, "false"),
  hidden: key("hide-headers", listOf(headerName), ""),
  added: key("add-headers", headersOf(responseHeaderName), ""),
  setForBackends: key("proxy-set-headers", headersOf(requestHeaderName), ""),
}
