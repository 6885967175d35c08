import { stringify } from "yaml"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import { counted } from "../../controller/support/counted.ts"
import type { Conversion, Remark } from "./conversion.ts"

/** Objects as kubectl takes them; what has no equivalent stands in front, as comments. */
export function yamlOf({ objects, remarks, closed, ingresses, converted, others }: Conversion): string {
  const head = [
    `${converted} of ${counted(ingresses, "Ingress", "Ingresses")} converted, ${counted(remarks.length, "remark", "remarks")}.`,
    ...closed.map((name) => `Closed, as it would be open to everybody (--allow-open): Ingress ${name}`),
    ...others.map((name) => `Not converted, as it is another controller's: Ingress ${name}`),
    ...remarks.map(remarkText),
  ]
  const comments = head.map((line) => `# ${line.replace(/[\r\n]+/g, " ")}\n`).join("")
  return comments + objects.map((object) => `---\n${stringify(object, { lineWidth: 0 })}`).join("")
}

function remarkText({ kind, object, field, what }: Remark): string {
  return `${object.kind} ${qualifiedName(object)} ${field}: ${what} [${kind}]`
}
