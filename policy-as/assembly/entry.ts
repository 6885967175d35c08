/** The module that is compiled: the callbacks of the host, and behind them the functions of the policy. `wick policy build` puts it beside the policy. */
import * as callbacks from "wick-policy/callbacks"
import { Need, need } from "wick-policy/needs"
import * as policy from "policy"

export {
  proxy_abi_version_0_2_1,
  proxy_on_configure,
  proxy_on_context_create,
  proxy_on_delete,
  proxy_on_memory_allocate,
  proxy_on_vm_start,
  wick_abi_version,
  wick_attempt,
  wick_policy_needs,
} from "wick-policy/callbacks"

if (isDefined(policy.report)) need(Need.INFO)

export function proxy_on_shared_data_changed(root: i32): void {
  if (!callbacks.takeEndpoints(root)) return
  if (isDefined(policy.prepare)) policy.prepare(callbacks.endpoints)
}

export function proxy_on_upstream_select(root: i32): void {
  if (callbacks.begin(root)) callbacks.choose(policy.pick(callbacks.endpoints, callbacks.request))
}

export function proxy_on_upstream_info(root: i32, hasFailed: i32): void {
  if (isDefined(policy.report) && callbacks.end(root)) policy.report(callbacks.endpoints, callbacks.attempt)
}
