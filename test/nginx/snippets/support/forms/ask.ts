// Requests in a few words.
import type { BackendAnswer, CasePath, CaseRequest, Header } from "../case.ts"

type Headers = Readonly<Record<string, string>>

export function get(target: string, headers: Headers = {}, answer: BackendAnswer = {}): CaseRequest {
  return { target, headers: Object.entries(headers), answer }
}

export function by(method: string, target = "/", headers: Headers = {}): CaseRequest {
  return { ...get(target, headers), method, ...(method === "POST" && { body: "a=b" }) }
}

export const from = (address: string, target = "/"): CaseRequest => ({ target, from: address })
export const answered = (status: number, ...headers: Header[]) => get("/", {}, { status, headers })
export const prefix = (...paths: string[]): CasePath[] => paths.map((path) => ({ path, type: "Prefix" }))
