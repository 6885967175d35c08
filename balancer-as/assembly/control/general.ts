/** `/configuration/general`: a text that we keep as it was posted. */
import * as answer from "./answer"
import { applyAndAnswer } from "./outcome"
import { BACKENDS } from "./kinds"
import { GENERAL } from "./keys"
import * as host from "../host"
import { ANY } from "./writes"
import * as writes from "./writes"

export function get(): void {
  const isThere = host.sharedData(GENERAL.at, GENERAL.length)
  answer.sendText(host.at, isThere ? host.length : 0)
}

export function post(text: usize, length: usize): void {
  writes.write(BACKENDS.setPart, GENERAL.at, GENERAL.length, text, <u32>length, ANY)
  applyAndAnswer(0, 0)
}
