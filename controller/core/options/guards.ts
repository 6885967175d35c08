/** An allowlist with it excludes nobody; cert-manager writes it on the Ingresses that answer its challenges. */
const everybody = "0.0.0.0/0"

const allowlists: ReadonlySet<string> = new Set(["allowlist-source-range", "whitelist-source-range"])

/** Whether an annotation or a key with this text turns anybody away. @param name of one that keeps requests out */
export function keepsOut(name: string, text: string): boolean {
  const items = text.split(",").map((item) => item.trim())
  return text.trim() !== "" && !(allowlists.has(name) && items.includes(everybody))
}
