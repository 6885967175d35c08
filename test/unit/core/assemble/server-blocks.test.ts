import { expect, test } from "vitest"
import { serverBlocksOf } from "../../../../controller/core/assemble/server-blocks.ts"
import type { DeclaredHost, ServerText } from "../../../../controller/core/declared/host.ts"
import { serverOf, sharedServer } from "../../../../controller/model/listener.ts"

const text = (size: string, name = "app"): ServerText => ({
  directives: [{ name: "client_header_buffer_size", args: [size] }],
  source: { kind: "Ingress", namespace: "demo", name },
})

function host(name: string, serverText?: ServerText, more: Partial<DeclaredHost> = {}): DeclaredHost {
  const declared = { server: sharedServer, host: name, owner: "demo", rules: [] }
  return { ...declared, ...(serverText && { serverText }), ...more }
}

const hostsOf = (...declared: DeclaredHost[]) => serverBlocksOf(declared)?.own.map(({ hosts }) => hosts)

test("hosts without text have no server block of their own", () => {
  expect(serverBlocksOf([host("a.test"), host("_")])).toBeUndefined()
})

test("the block for all others answers for _, which has none of its own", () => {
  expect(serverBlocksOf([host("_", text("2k"))])).toBeUndefined()
})

test("hosts to which one Ingress says the same share a block", () => {
  expect(hostsOf(host("b.test", text("2k")), host("a.test", text("2k")))).toEqual([["a.test", "b.test"]])
})

test("another text is another block, and so is another Ingress's equal one, which is refused by itself", () => {
  const declared = [
    host("a.test", text("2k")),
    host("b.test", text("4k")),
    host("c.test", text("2k", "other")),
  ]
  const blocks = serverBlocksOf(declared)?.own ?? []
  expect(blocks.map(({ hosts }) => hosts).sort()).toEqual([["a.test"], ["b.test"], ["c.test"]])
  expect(new Set(blocks.map(({ name }) => name)).size).toBe(3)
  expect(blocks).toEqual(serverBlocksOf(declared.toReversed())?.own)
})

test("an alias is in the block of its host, unless it has text of its own", () => {
  const alias = { aliasOf: "a.test" }
  expect(hostsOf(host("a.test", text("2k")), host("b.test", undefined, alias))).toEqual([
    ["a.test", "b.test"],
  ])
  expect(hostsOf(host("a.test", text("2k")), host("b.test", text("4k"), alias))).toHaveLength(2)
})

test("an exact host stays in the block for all others although a wildcard has its own", () => {
  const declared = [
    host("*.a.test", text("2k")),
    host("x.a.test"),
    host("own.a.test", text("4k")),
    host("y.x.a.test"),
    host("b.test"),
  ]
  expect(serverBlocksOf(declared)?.shared).toEqual(["x.a.test"])
})

test("hosts of a listener of its own are not nginx's server names", () => {
  const server = serverOf({ scheme: "http", port: 8080 })
  expect(serverBlocksOf([host("a.test", text("2k"), { server })])).toBeUndefined()
})
