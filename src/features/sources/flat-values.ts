// The values of a body that nobody could read, each with where it stands, for a person to say what it is.

export type FlatValue = { path: string; text: string }

const MOST = 100
const DEEPEST = 6

/** Of a body in depth, in its order: 'cliente.telefones.0'. Names with a dot in them cannot be pointed at. */
export function flatValues(body: unknown): readonly FlatValue[] {
  const found: FlatValue[] = []
  const look = (value: unknown, path: readonly string[]) => {
    if (found.length >= MOST) return
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      if (path.length > 0 && String(value).trim() !== '')
        found.push({ path: path.join('.'), text: String(value) })
      return
    }
    if (typeof value !== 'object' || value === null || path.length >= DEEPEST) return
    for (const [name, inner] of Object.entries(value))
      if (/^[^.]{1,60}$/.test(name)) look(inner, [...path, name])
  }
  look(body, [])
  return found
}
