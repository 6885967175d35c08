import type { Options } from "../core/options/flags.ts"
import type { Settings } from "../core/options/settings.ts"
import type { ConfigMap } from "../model/objects/config-map.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import type { Service } from "../model/objects/service.ts"
import type { Finding } from "./finding.ts"

/** What the webhook knows of a cluster when it is asked. */
export interface Around {
  readonly options: Options
  readonly settings: Settings
  readonly configMap: ConfigMap | undefined
  /** @param name `namespace/name` */
  readonly service: (name: string) => Service | undefined
}

/** What of an Ingress is served, and not as ingress-nginx serves it (cli/lint knows). */
export type DifferencesOf = (ingress: Ingress, around: Around) => readonly Finding[]
