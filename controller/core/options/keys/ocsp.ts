import { type Keys, key } from "../key.ts"
import type { OcspSettings } from "../settings.ts"
import { onOff } from "./parsers.ts"

export const ocsp: Keys<OcspSettings> = {
  staplesOcsp: key("enable-ocsp", onOff, "false"),
}
