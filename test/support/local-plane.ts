// The nginx on this machine as a data plane, driven without the rest of the controller.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { LocalNginx } from "../../controller/output/nginx/local-nginx.ts"
import { Workplace } from "../../controller/output/nginx/workplace.ts"
import { freeListeners, type Listeners, listenerFlags } from "../../harness/ports.ts"
import { optionsOf } from "../../harness/translation.ts"

export interface LocalPlane extends AsyncDisposable {
  readonly plane: LocalNginx
  /** the flags that it was made with */
  readonly flags: readonly string[]
  readonly ports: Listeners
  /** its runtime directory */
  readonly dir: string
}

const identity = { controllerClass: "k8s.io/ingress-nginx", namespace: "", pod: "" }

const silent = { died() {}, posted() {}, closedForRoom() {}, grew() {}, renewed() {} }

/** Adopted, where nothing ran. */
export async function localPlane(): Promise<LocalPlane> {
  const dir = mkdtempSync(join(tmpdir(), "wick-plane-"))
  const ports = await freeListeners()
  const flags = [...listenerFlags(ports), `--runtime-dir=${dir}`]
  const options = optionsOf(["--manifests=x", ...flags])
  const stops = new AsyncDisposableStack()
  const end = new AbortController()
  const workplace = await Workplace.take(options, identity, stops)
  const plane = await LocalNginx.open(options, workplace, silent, end.signal, stops)
  await plane.adopt()
  return {
    plane,
    flags,
    ports,
    dir,
    async [Symbol.asyncDispose]() {
      await plane.stop(AbortSignal.abort())
      end.abort()
      await stops.disposeAsync()
      rmSync(dir, { recursive: true })
    },
  }
}
