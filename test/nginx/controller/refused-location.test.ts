// What passes every parser and nginx refuses all the same concerns its own Ingress, nobody else, and only as long as it is there. No
// annotation is known to do that, so the nginx here finds fault with a word that it usually takes.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { nginxBinary } from "../../../harness/paths.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

/** nginx, but `-t` refuses whatever has `proxy_http_version 1.0`. */
const pickyNginx = `#!/bin/sh
case " $* " in
*" -t "*)
	for file; do
		if [ -f "$file" ] && grep -q 'proxy_http_version 1.0;' "$file"; then
			echo 'nginx: [emerg] version 1.0 is out of fashion' >&2
			exit 1
		fi
	done
	;;
esac
exec ${nginxBinary} "$@"
`

const dir = mkdtempSync(join(tmpdir(), "wick-picky-"))
let backends: Backends
let wick: Wick

beforeAll(async () => {
  const binary = join(dir, "nginx")
  writeFileSync(binary, pickyNginx)
  chmodSync(binary, 0o755)
  backends = await startBackends("web")
  const ports = backends.map(({ port }) => port)
  wick = await startWick({
    manifests: { "good.yaml": manifest(ingressClass, ...serviceOn("shop/web", ports), served("good")) },
    flags: [`--nginx=${binary}`, "--sync-rate-limit=1000"],
  })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
  rmSync(dir, { recursive: true })
})

const served = (name: string, annotations = {}) =>
  ingress(`shop/${name}`, `${name}.test/ → web:80`, annotations)
const refused = { "proxy-http-version": "1.0" }
/** Each needs a location of its own, and with it a reload. */
const reloading = { "configuration-snippet": "sub_filter a b;" }
const alsoReloading = { "configuration-snippet": "charset utf-8;" }

const statusOf = async (name: string) => (await wick.get("/", { host: `${name}.test` })).status
const answers = (name: string, status: number) =>
  until(`${name}.test to answer ${status}`, async () => (await statusOf(name)) === status)

test("a location that nginx refuses is left out with a Problem, and the others come through", async () => {
  wick.write("bad.yaml", manifest(served("bad", refused), served("beside", reloading)))
  await answers("bad", 503)
  await answers("beside", 200)
  expect(await statusOf("good")).toBe(200)
  const problem = await until("the Problem", () => /^.*"location-refused".*\n/m.exec(wick.log())?.[0])
  expect(problem).toContain("version 1.0 is out of fashion")
  expect(problem).toContain("bad")
  const conf = readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")
  expect(conf).not.toContain("proxy_http_version 1.0;")
  expect(conf).toContain("sub_filter")
})

test("later changes do not wait for it, also those that reload", async () => {
  wick.write("late.yaml", manifest(served("late"), served("other", alsoReloading)))
  await answers("late", 200)
  await answers("other", 200)
  expect(await statusOf("bad")).toBe(503)
})

test("it is served as soon as it is mended", async () => {
  wick.write("bad.yaml", manifest(served("bad")))
  await answers("bad", 200)
})
