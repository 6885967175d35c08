import { flag, toggle, unneeded } from "../flag.ts"
import { address, text } from "../parser.ts"

/** The admission webhook. */
export const admission = {
  "validating-webhook": flag("HOST:PORT", address, "", "address of the admission webhook; empty for none"),
  "validating-webhook-certificate": flag(
    "FILE",
    text,
    "",
    "certificate of the webhook; read again when it changes",
  ),
  "validating-webhook-key": flag("FILE", text, "", "key of the webhook; read again when it changes"),
  "disable-full-test": unneeded(
    "no configuration is rendered for a check, and comparing with all other Ingresses costs nothing",
    toggle(false, "check a submitted Ingress alone instead of with all others"),
  ),
}
