import htm from "htm"
import { h, type VNode } from "preact"

/** Elements, written as in HTML. Texts in them stay texts, whatever they hold. */
export const html = (htm as unknown as Htm).bind(h)

/** Its own types say another kind of module than it is. */
interface Htm {
  bind(create: typeof h): (strings: TemplateStringsArray, ...values: unknown[]) => VNode
}
