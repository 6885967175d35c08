import type { Change } from "../../controller/input/provider/source.ts"
import { parseObject } from "../../controller/model/objects/parse.ts"
import { recordOf } from "../../controller/model/objects/reader.ts"
import type { OldController } from "./old-controller.ts"

/** What a release of ingress-nginx's chart comes to, as far as it changes what Ingresses serve. */
export interface HelmRelease {
  readonly controller: OldController
  /** the ConfigMaps that the chart writes */
  readonly changes: readonly Change[]
}

/** Names need not be those of the release: nobody else looks for them. */
const namespace = "ingress-nginx"

/** Values as `helm get values` prints them. Source: the templates of ingress-nginx's chart 4.15. */
export function releaseOf(values: unknown): HelmRelease {
  const controller = recordOf(recordOf(values).controller)
  const data = {
    ...texts(controller.config),
    ...(controller.allowSnippetAnnotations === true && { "allow-snippet-annotations": "true" }),
  }
  const added = texts(controller.addHeaders)
  const proxied = { ...texts(controller.headers), ...texts(controller.proxySetHeaders) }
  const maps = [
    configMap("controller", {
      ...data,
      ...(Object.keys(added).length > 0 && { "add-headers": `${namespace}/added` }),
      ...(Object.keys(proxied).length > 0 && { "proxy-set-headers": `${namespace}/proxied` }),
    }),
    configMap("added", added),
    configMap("proxied", proxied),
  ]
  return {
    controller: { name: "the release of the Helm values", args: argsOf(recordOf(values), controller) },
    changes: maps.flatMap(changesOf),
  }
}

type Values = Readonly<Record<string, unknown>>

function argsOf(values: Values, controller: Values): readonly string[] {
  const { controllerValue } = recordOf(controller.ingressClassResource)
  const scope = recordOf(controller.scope)
  const given: readonly (readonly [flag: string, value: unknown])[] = [
    ["controller-class", controllerValue],
    ["ingress-class", controller.ingressClass ?? recordOf(controller.ingressClassResource).name],
    ["watch-ingress-without-class", isOn(controller.watchIngressWithoutClass)],
    ["ingress-class-by-name", isOn(controller.ingressClassByName)],
    ["watch-namespace", scope.enabled === true ? scope.namespace || namespace : undefined],
    ["watch-namespace-selector", scope.namespaceSelector],
    ["enable-topology-aware-routing", isOn(controller.enableTopologyAwareRouting)],
    ["tcp-services-configmap", hasAny(values.tcp) ? `${namespace}/tcp` : undefined],
    ["udp-services-configmap", hasAny(values.udp) ? `${namespace}/udp` : undefined],
    ["maxmind-license-key", controller.maxmindLicenseKey],
  ]
  const said = given.filter(([, value]) => value !== undefined && value !== null && value !== "")
  const args = [...said, ...Object.entries(recordOf(controller.extraArgs))]
  return [`--configmap=${namespace}/controller`, ...args.map(([flag, value]) => argOf(flag, value))]
}

/** A flag without a value is a switch. */
function argOf(flag: string, value: unknown): string {
  const text = String(value ?? "").replaceAll("$(POD_NAMESPACE)", namespace)
  return text === "" ? `--${flag}` : `--${flag}=${text}`
}

function isOn(value: unknown): true | undefined {
  return value === true || undefined
}

function hasAny(value: unknown): boolean {
  return Object.keys(recordOf(value)).length > 0
}

function configMap(name: string, data: Readonly<Record<string, string>>): unknown {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data }
}

function changesOf(object: unknown): readonly Change[] {
  const parsed = parseObject(object, { origin: "values", firstSeenMs: () => 0 })
  return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }] : []
}

/** As Helm's `toYaml` and `tpl` make them: texts. */
function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(recordOf(value)).map(([name, text]) => [name, String(text ?? "")]))
}
