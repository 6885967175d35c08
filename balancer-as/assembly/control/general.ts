/** `/configuration/general`: a text that we keep as it was posted; an empty object before that. */
import * as answer from "./answer"
import { applyAndAnswer } from "./outcome"
import { BACKENDS } from "./kinds"
import { GENERAL } from "./keys"
import * as host from "../host"
import { ANY } from "./writes"
import * as writes from "./writes"

export function get(): void {
  if (host.sharedData(GENERAL.at, GENERAL.length)) return answer.sendText(host.at, host.length)
  answer.out.clear()
  answer.out.literal("{}")
  answer.sendText(answer.out.at, answer.out.length)
}

export function post(text: usize, length: usize): void {
  writes.write(BACKENDS.setPart, GENERAL.at, GENERAL.length, text, <u32>length, ANY)
  applyAndAnswer(0, 0)
}
