import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { checkConf, type Site } from "../../../harness/nginx.ts"
import { type FilterName, filter } from "./support/filters.ts"

const files = new Map<FilterName, string>()

beforeAll(async () => {
  for (const name of ["probe", "plain", "mistyped", "foreigner"] as const) files.set(name, await filter(name))
})

/** What `nginx -t` says about a `wasm { }` block and the content of `http { }`. */
function check(wasm: string | undefined, http = "", prepare?: (site: Site) => void) {
  return checkConf((site) => {
    prepare?.(site)
    const block = wasm === undefined ? "" : `wasm { ${expand(wasm, site)} }`
    return {
      main: `load_module ${site.modules}/ngx_http_wasm_module.so;\n${block}`,
      http: expand(http, site),
    }
  })
}

function expand(text: string, site: Site): string {
  return text.replace(/FILE\((\w+)\)/g, (_, name) => files.get(name) ?? "").replace(/DIR/g, site.dir)
}

const probe = "module probe FILE(probe);"

describe("nginx -t refuses", () => {
  const cases: [string, string | undefined, string, string][] = [
    ["a module twice", `${probe} ${probe}`, "", `"probe" module already defined`],
    ["a module name with a colon", "module a:b FILE(probe);", "", `invalid module name "a:b"`],
    [
      "a file that is missing",
      "module m DIR/none.wasm;",
      "",
      `Cannot load filter "m" from "DIR/none.wasm": No such file`,
    ],
    [
      "a filter with a mistyped callback",
      "module m FILE(mistyped);",
      "",
      "export proxy_on_upstream_select has another type",
    ],
    ["a filter with an unknown import", "module m FILE(foreigner);", "", "proxy_launch_rocket"],
    [
      "a zone that is too small",
      "shm_kv z 4096;",
      "",
      "shm size of 4096 bytes is too small, minimum required is 32768 bytes",
    ],
    [
      "a zone that is not page-aligned",
      "shm_kv z 40000;",
      "",
      "shm size of 40000 bytes is not page-aligned, must be a multiple of 4096",
    ],
    ["a zone twice", "shm_kv z 1m; shm_kv z 1m;", "", `"z" shm already defined`],
    [
      "a zone with an unknown eviction",
      "shm_kv z 1m eviction=random;",
      "",
      `invalid eviction policy "random"`,
    ],
    ...["0", "many", "-1", "1048577", ""].map((number): [string, string, string, string] => [
      `slots=${number}`,
      `shm_kv z 1m slots=${number};`,
      "",
      `invalid number of slots "${number}": must be 1 to 1048576`,
    ]),
    [
      "slots of a zone behind 256 others",
      `${Array.from({ length: 256 }, (_, i) => `shm_kv z${i} 32k;`).join(" ")} shm_kv z 1m slots=1;`,
      "",
      "only the first 256 zones can have slots",
    ],
    ["an unknown option of a zone", "shm_kv z 1m slot=1;", "", `invalid option "slot=1"`],
    ["a deadline that is no time", "callback_deadline soon;", "", `invalid time "soon"`],
    ["a memory limit below a page", "memory_limit 1k;", "", "memory_limit is less than one page"],
    ["an unknown module", probe, "proxy_wasm other;", `no "other" module defined`],
    [
      "proxy_wasm without wasm",
      undefined,
      "proxy_wasm m;",
      `"proxy_wasm" directive is specified but config has no "wasm" section`,
    ],
    ["isolation that is not supported", probe, "proxy_wasm_isolation filter;", `"filter" is not supported`],
    ["an upstream= parameter", probe, "proxy_wasm probe upstream=x;", `"upstream=x" is not supported`],
    [
      "select without wasm",
      undefined,
      "upstream u { server 0.0.0.1; wasm_upstream_select; }",
      `"wasm_upstream_select" directive is specified but config has no "wasm" section`,
    ],
    [
      "select twice",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select; wasm_upstream_select; }",
      `"wasm_upstream_select" directive is duplicate`,
    ],
    [
      "select after keepalive",
      probe,
      "upstream u { server 0.0.0.1; keepalive 8; wasm_upstream_select; }",
      `must be the only one that chooses or keeps connections`,
    ],
    [
      "select before keepalive",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select; keepalive 8; }",
      `must be the only one that chooses or keeps connections in upstream "u": leave "keepalive"`,
    ],
    [
      "select after another method",
      probe,
      "upstream u { least_conn; server 0.0.0.1; wasm_upstream_select; }",
      "must be the only one that chooses or keeps connections",
    ],
    [
      "an unknown parameter of select",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select tries=1; }",
      `invalid parameter "tries=1"`,
    ],
    [
      "a key that is not one variable",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select key=a$host; }",
      `invalid parameter "key=a$host"`,
    ],
    [
      "connections that are no number",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select keepalive=many; }",
      `invalid parameter "keepalive=many"`,
    ],
    [
      "a time that is none",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select keepalive=8 keepalive_timeout=soon; }",
      `invalid parameter "keepalive_timeout=soon"`,
    ],
    [
      "no tries at all",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select max_tries=0; }",
      `invalid max_tries value in "max_tries=0"`,
    ],
    [
      "a fallback with an unknown variable",
      probe,
      "upstream u { server 0.0.0.1; wasm_upstream_select fallback=a/$nope; }",
      `unknown "nope" variable`,
    ],
  ]
  test.each(cases)("%s", async (_, wasm, http, message) => {
    const { ok, output } = await check(wasm, http)
    expect(output.replaceAll(/\/\S*\/none\.wasm/g, "DIR/none.wasm")).toContain(message)
    expect(ok).toBe(false)
  })

  test("a file that is no Wasm", async () => {
    const { ok, output } = await check("module m DIR/text.wasm;", "", ({ dir }) =>
      writeFileSync(join(dir, "text.wasm"), "not a module"),
    )
    expect(output).toContain(`Cannot load filter "m"`)
    expect(ok).toBe(false)
  })

  test("wasm twice", async () => {
    const { ok, output } = await check("} wasm {")
    expect(output).toContain(`"wasm" directive is duplicate`)
    expect(ok).toBe(false)
  })
})

describe("nginx -t accepts", () => {
  const cases: [string, string, string, string?][] = [
    ["a filter without callbacks", "module m FILE(plain);", "proxy_wasm m;"],
    [
      "all options",
      `module m FILE(probe) 'vm configuration'; shm_kv * 1m eviction=none; callback_deadline 0; memory_limit 8m;`,
      "proxy_wasm m config=a; upstream u { server 0.0.0.1; wasm_upstream_select max_tries=5 fallback=b/$host keepalive=4; }",
    ],
    [
      "directives of other hosts, with a notice",
      `${probe} compiler cranelift; backtraces on; socket_connect_timeout 1s; tls_verify_cert on; resolver 1.1.1.1; wasmtime { flag a b; cache_config c; } metrics { slab_size 5m; max_metric_name_length 200; }`,
      "proxy_wasm_isolation none; proxy_wasm_request_headers_in_access off; proxy_wasm_lua_resolver on;",
      `"compiler" has no effect here`,
    ],
    ["an eviction policy, with a notice", "shm_kv z 1m eviction=lru;", "", `"eviction" has no effect here`],
  ]
  test.each(cases)("%s", async (_, wasm, http, notice = "") => {
    const { ok, output } = await check(wasm, http)
    expect(output).toContain(notice)
    expect(ok, output).toBe(true)
  })
})
