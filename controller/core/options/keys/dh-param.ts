import { type SecretFile, secretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import type { KeySyntax } from "../key.ts"
import { accepted, type Parsed, qualified, refused } from "../parser.ts"
import { values } from "../usage.ts"

const pemBlock = /-----BEGIN ([^-]+)-----\r?\n([A-Za-z0-9+/=\r\n]{1,16384})-----END \1-----/

/** `namespace/name` of a Secret that holds the parameters of Diffie-Hellman; absent when empty. Whether they are any good is for nginx to say. */
export const dhParam: KeySyntax<SecretFile | undefined> = {
  values: values.secret,
  parse: (text, objects) => {
    const parsed = qualified(text)
    if (parsed.kind === "refused" || parsed.value === undefined) return parsed as Parsed<undefined>
    const secret = objects.secret(`${parsed.value.namespace}/${parsed.value.name}`)
    if (secret === undefined) return refused(`there is no Secret ${shown(text)}`)
    const bytes = secret.data["dhparam.pem"]
    if (bytes === undefined) return refused(`Secret ${shown(text)} has no key "dhparam.pem"`)
    const [block, label] = pemBlock.exec(Buffer.from(bytes).toString("latin1")) ?? []
    return block !== undefined && label === "DH PARAMETERS"
      ? accepted(secretFile(`${block}\n`, ".pem"))
      : refused(`"dhparam.pem" of Secret ${shown(text)} does not begin with DH PARAMETERS in PEM`)
  },
}
