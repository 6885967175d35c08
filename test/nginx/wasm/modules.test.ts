import { describe, expect, test } from "vitest"
import { checkConf } from "../../../harness/nginx.ts"
import { filter } from "./support/filters.ts"
import { startHost } from "./support/host.ts"
import { allocator, basics, writeText } from "./support/raw.ts"

const memory = `(memory (export "memory") 1)`
const abi = (version: string) => `(func (export "proxy_abi_version_${version}"))`
const named = (name: string) => `(func (export "${name}") (param i32) (result i32) (i32.const 1024))`

/** What \`nginx -t\` says about a filter of these functions. */
function check(functions: string): Promise<{ ok: boolean; output: string }> {
  return checkConf((site) => ({
    main: `load_module ${site.modules}/ngx_http_wasm_module.so; wasm { module m ${writeText(site.dir, "m", functions)}; }`,
    http: "proxy_wasm m;",
  }))
}

describe("a module is loaded", () => {
  test.each([
    ["of ABI 0.2.1", memory + abi("0_2_1") + allocator],
    ["of ABI 0.2.0", memory + abi("0_2_0") + allocator],
    ["with proxy_on_memory_allocate", memory + abi("0_2_1") + named("proxy_on_memory_allocate")],
    ["with both allocators", memory + abi("0_2_1") + allocator + named("proxy_on_memory_allocate")],
    ["with exports that no host knows", `${basics}${allocator}(func (export "proxy_on_lunch") (param i64))`],
  ])("%s", async (_, functions) => {
    const { ok, output } = await check(functions)
    expect(ok, output).toBe(true)
  })
})

describe("a module is refused", () => {
  test.each([
    ["without an ABI version", memory + allocator, "exports neither proxy_abi_version_0_2_1 nor"],
    ["of ABI 0.1.0", memory + abi("0_1_0") + allocator, "exports neither proxy_abi_version_0_2_1 nor"],
    ["without an allocator", basics, "exports neither proxy_on_memory_allocate nor malloc"],
    ["without memory", abi("0_2_1") + allocator, "exports no memory"],
    [
      "with an allocator of another type",
      `${basics}(func (export "malloc") (param i64) (result i32) (i32.const 0))`,
      "export malloc has another type",
    ],
    [
      "whose memory is a function",
      `${abi("0_2_1")}${allocator}(func (export "memory"))`,
      "exports no memory",
    ],
    [
      "that brings no memory but wants ours",
      `(import "env" "memory" (memory 1))(export "memory" (memory 0))${abi("0_2_1")}${allocator}`,
      "memory",
    ],
    [
      "whose callback is no function",
      `${basics}${allocator}(global (export "proxy_on_log") i32 (i32.const 0))`,
      "export proxy_on_log has another type",
    ],
  ])("%s", async (_, functions, message) => {
    const { ok, output } = await check(functions)
    expect(output).toContain(message)
    expect(output).toContain('Cannot load filter "m"')
    expect(ok).toBe(false)
  })
})

test("a location has the filters of the nearest level that has any", async () => {
  const answer = (name: string) => `proxy_wasm probe 'headers: text ${name}; respond 200';`
  await using nginx = await startHost(
    ({ ports }) => ({
      http: `${answer("http")} server { listen 127.0.0.1:${ports[1]}; location / { return 404; } }`,
      server: `${answer("server")}
        location /inherits { return 404; location /inherits/own { ${answer("nested")} return 404; } location /inherits/not { return 404; } }
        location /passes { error_page 404 = @named; proxy_wasm probe 'headers: text passing'; return 404; }
        location @named { ${answer("named")} return 404; }`,
    }),
    { ports: 2 },
  )
  const paths = ["/", "/inherits", "/inherits/own", "/inherits/not", "/passes"]
  const bodies = await Promise.all(paths.map(async (path) => (await nginx.get(path)).body))
  expect(bodies).toEqual(["server", "server", "nested", "server", "passing named"])
  const other = await fetch(`http://127.0.0.1:${nginx.site.ports[1]}/`)
  expect(await other.text()).toBe("http")
})

test("each ignored directive of other hosts gives a notice of its own", async () => {
  const inWasm = [
    "compiler",
    "backtraces",
    "resolver",
    "resolver_timeout",
    "socket_connect_timeout",
    "socket_send_timeout",
    "socket_read_timeout",
    "socket_buffer_size",
    "socket_buffer_reuse",
    "socket_large_buffers",
    "tls_trusted_certificate",
    "tls_verify_cert",
    "tls_verify_host",
    "tls_no_verify_warn",
  ]
  const inHttp = ["proxy_wasm_log_dispatch_errors", "proxy_wasm_lua_resolver"]
  const probe = await filter("probe")
  const { ok, output } = await checkConf((site) => ({
    main: `load_module ${site.modules}/ngx_http_wasm_module.so; wasm { module m ${probe}; ${inWasm.map((name) => `${name} x;`).join(" ")} wasmtime { flag a b; } metrics { slab_size 5m; } }`,
    http: inHttp.map((name) => `${name} on;`).join(" "),
  }))
  expect(ok, output).toBe(true)
  const missing = [...inWasm, ...inHttp, "wasmtime", "metrics"].filter(
    (name) => !new RegExp(`\\[notice\\].*"${name}" has no effect here`).test(output),
  )
  expect(missing).toEqual([])
})
