/** The id of an address list, or of anything with ids of the same form, in a route: JSON → a field. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { ADDRESS_LISTS } from "./kinds"
import { isId } from "./name-rules"
import * as reader from "../json/reader"
import * as record from "../record"

/** @param wanted what is said when there is no text */
export function readListId(out: Buffer, tag: u32, wanted: string): void {
  if (!reader.readText(wanted)) return
  if (!isId(reader.text, reader.length)) return error.fail(reader.offset, ADDRESS_LISTS.rule)
  record.putField(out, tag, reader.text, reader.length)
}
