/** What somebody else's policy needs (docs/wire.md 2, policy needs). */
import * as record from "./record"
import { Algorithm, Setting } from "./ids"
import { Need } from "./need"
import { PolicyNeed } from "../../policy-as/assembly/lib/abi"

/** That of the policy by which a record's endpoints are chosen; 0 if there is none. */
export function policyNeedsOf(at: usize): u32 {
  if (record.algorithm(at) != Algorithm.CUSTOM) return 0
  const needs = record.setting(at, Setting.POLICY_NEEDS)
  return needs == 0 ? 0 : load<u32>(record.fieldValue(needs))
}

/** What follows of it for each attempt. */
export function needsOf(at: usize): u32 {
  const policy = policyNeedsOf(at)
  let needs = Need.NOTHING
  if ((policy & PolicyNeed.RUNNING) != 0) needs |= Need.RUNNING
  if ((policy & PolicyNeed.TIMES) != 0) needs |= Need.TIMES | Need.SLOTS
  if ((policy & PolicyNeed.INFO) != 0) needs |= Need.REPORT
  if ((policy & PolicyNeed.OWN) != 0) needs |= Need.SLOTS
  return needs
}
