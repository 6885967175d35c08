import type { Json } from "./conversion.ts"

/** Calls of gRPC have the path `/package.Service/Method`. @returns undefined for a path that is none of them */
export function grpcMatch(path: string): Json | undefined {
  if (path === "/") return {}
  const [, service, method] = /^\/([a-z_]\w*(?:\.[a-z_]\w*)*)(?:\/([a-z_]\w*)?)?$/i.exec(path) ?? []
  if (service === undefined) return undefined
  return { method: { type: "Exact", service, ...(method !== undefined && { method }) } }
}
