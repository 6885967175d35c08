import { resolve } from "node:path"
import type { Options } from "../../core/options/flags.ts"
import type { Fixed } from "../../model/model.ts"
import type { ZoneGrowth } from "../control/zone-growth.ts"
import { type Conf, loadRender, type Paths, type Stage } from "../render/render.ts"
import type { Sockets } from "../render/site.ts"
import { accessLogPath } from "./access-log.ts"
import type { Build } from "./build.ts"
import type { Machine } from "./machine.ts"
import { hasHttp2Directive } from "./version.ts"
import type { Workplace } from "./workplace.ts"

interface Surroundings {
  readonly machine: Machine
  /** of nginx */
  readonly version: readonly number[]
  readonly build: Pick<Build, "id">
  readonly zones: Pick<ZoneGrowth, "grown">
  /** an nginx runs */
  readonly isRunning: () => boolean
}

/** Prints configurations for this machine, as `render` does. */
export function printer(
  options: Pick<Options, "kubeconfig">,
  workplace: Workplace,
  { machine, version, build, zones, isRunning }: Surroundings,
): (fixed: Fixed, stage: Stage) => Conf {
  const { layout, counted } = workplace
  const print = loadRender()
  const hidden = hiddenPaths(options)
  const site = {
    ...machine,
    ...(counted !== undefined && { metrics: counted }),
    hasHttp2Directive: hasHttp2Directive(version),
  }
  return (fixed, stage) => {
    const sockets = stage === "holding" ? layout.nextSockets : layout.sockets
    const paths = { ...pathsOf(workplace, sockets, isRunning()), hidden }
    return print(fixed, { ...site, build: build.id, paths, grownZones: zones.grown }, stage)
  }
}

function pathsOf(
  { layout, installation, modsecurity }: Workplace,
  sockets: Sockets,
  isRunning: boolean,
): Omit<Paths, "hidden"> {
  return {
    wasmModule: installation.wasmModule,
    ingressModule: installation.ingressModule,
    ...(installation.streamModule !== undefined && { streamModule: installation.streamModule }),
    brotliModules: installation.brotli,
    zstdModules: installation.zstd,
    ...(installation.mimeTypes !== undefined && { mimeTypes: installation.mimeTypes }),
    balancer: installation.balancer,
    compiled: layout.compiled,
    policies: layout.policies,
    ruleSets: [
      layout.modsecurity,
      ...(modsecurity.library === undefined ? [] : [`library=${modsecurity.library}`]),
    ],
    geoip: layout.geoip,
    pid: layout.pid,
    sockets,
    secrets: layout.secrets,
    temp: layout.temp,
    certificate: layout.certificate,
    certificateKey: layout.certificateKey,
    quicHostKey: layout.quicHostKey,
    accessLog: accessLogPath(layout, isRunning),
  }
}

/** What lets the controller in at the API server, and the key of its webhook where ingress-nginx's chart mounts it. */
function hiddenPaths({ kubeconfig }: Pick<Options, "kubeconfig">): readonly string[] {
  const own = kubeconfig === "" ? [] : [resolve(kubeconfig)]
  return ["/var/run/secrets", "/usr/local/certificates", ...own]
}
