/** An archive of tar with these files, by their names. Source: POSIX.1-2017, pax, "ustar Interchange Format". */
export function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const members = Object.entries(files).flatMap(([name, text]) => {
    const bytes = Buffer.from(text)
    return [headOf(name, bytes.length), bytes, Buffer.alloc(-bytes.length & 511)]
  })
  return Buffer.concat([...members, Buffer.alloc(1024)])
}

function headOf(name: string, length: number): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0, "latin1")
  head.write("0000644\0", 100)
  head.write(`${length.toString(8).padStart(11, "0")}\0`, 124)
  head.write(" ".repeat(8), 148)
  head.write("0ustar\0", 156)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return head
}
