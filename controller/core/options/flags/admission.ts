import { flag, planned, toggle } from "../flag.ts"
import { text } from "../parser.ts"

/** The admission webhook. */
export const admission = {
  "validating-webhook": planned(
    "admission",
    flag("HOST:PORT", text, "", "address of the admission webhook; empty for none"),
  ),
  "validating-webhook-certificate": planned(
    "admission",
    flag("FILE", text, "", "certificate of the webhook"),
  ),
  "validating-webhook-key": planned("admission", flag("FILE", text, "", "key of the webhook")),
  "disable-full-test": planned(
    "admission",
    toggle(false, "check a submitted Ingress alone instead of with all others"),
  ),
}
