/** SVG as text. Numbers are rounded to a tenth of a pixel, so that a plot changes only when it looks different. */

type Attributes = Readonly<Record<string, string | number>>

export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const printed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(print(value))}"`)
  const start = `<${name}${printed.join("")}`
  return children.length === 0 ? `${start}/>` : `${start}>${children.join("\n")}</${name}>`
}

export function text(content: string, x: number, y: number, attributes: Attributes = {}): string {
  return element("text", { x, y, ...attributes }, escaped(content))
}

/** A line through these points. */
export function path(points: readonly (readonly [number, number])[], attributes: Attributes): string {
  const d = points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${print(x)},${print(y)}`).join("")
  return element("path", { d, fill: "none", ...attributes })
}

/** A drawing of its own: light background, a title for those who cannot see it. */
export function drawing(
  title: string,
  width: number,
  height: number,
  ...children: readonly string[]
): string {
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "font-family": "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif",
    "font-size": 12,
    fill: "#333",
  }
  const background = element("rect", { width, height, fill: "#fff" })
  return `${element("svg", attributes, element("title", {}, escaped(title)), background, ...children)}\n`
}

function print(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 10) / 10) : value
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escaped = (value: string) => value.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
