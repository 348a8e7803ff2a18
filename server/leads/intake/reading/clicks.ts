// Finds click ids of advertisements in a form's data: fields, nested objects, page URLs, cookies.
import { parseJson } from '#server/http/requests.ts'

const KINDS = ['fbclid', 'gclid', 'gbraid', 'wbraid', 'msclkid', 'ttclid'] as const
type Kind = (typeof KINDS)[number]
/** Cookies of Meta and Google that hold a click id after a version and a time. */
const COOKIES: readonly (readonly [RegExp, RegExp, Kind])[] = [
  [/^_?fbc$/, /^fb\.\d+\.\d+\.(.+)$/, 'fbclid'],
  [/^_?gcl_?aw$/, /^GCL\.\d+\.(.+)$/, 'gclid'],
]
/** Same rule as portal.keep_clicks. */
const ID = /^[\w.~-]{1,500}$/
const ADDRESS = /^https?(?::|%3a)\S+$/i
const DEEPEST = 8
const MAX_VALUES = 2_000

/**
 * The click ids within a form's fields, by name. A field of that name comes first, then the outermost, then a cookie.
 */
export function clicksIn(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = new Set(Object.keys(fields).map((name) => name.trim().toLowerCase()))
  const found = new Map<Kind, string>()
  const fromCookies = new Map<Kind, string>()
  let row: (readonly [string, unknown])[] = Object.entries(fields)
  let seen = 0
  for (let depth = 0; depth < DEEPEST && seen < MAX_VALUES; depth++) {
    const some = row.slice(0, MAX_VALUES - seen)
    seen += some.length
    for (const [label, value] of some) {
      const name = label.trim().toLowerCase()
      const text = typeof value === 'string' ? value.trim() : ''
      const kind = KINDS.find((one) => one === name)
      if (kind !== undefined) keep(found, kind, text)
      for (const [named, formed, held] of COOKIES)
        if (named.test(name)) keep(fromCookies, held, formed.exec(text)?.[1] ?? '')
    }
    row = some.flatMap(([label, value]) => insideOf(label, value))
  }
  return Object.fromEntries([...fromCookies, ...found].filter(([kind]) => !known.has(kind)))
}

function keep(found: Map<Kind, string>, kind: Kind, id: string) {
  if (ID.test(id) && !found.has(kind)) found.set(kind, id)
}

/** Returns the named values inside a field: of an object, a list, JSON text, or an address's query. */
function insideOf(label: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value === 'string')
    return /^\s*[{[]/.test(value) ? insideOf(label, parseJson(value)) : queryOf(value)
  // The entries of a list have the list's name.
  if (Array.isArray(value)) return (value as unknown[]).map((one) => [label, one] as const)
  if (typeof value !== 'object' || value === null) return []
  const { name, value: named } = value as Record<string, unknown>
  return [...Object.entries(value), ...(typeof name === 'string' ? [[name, named] as const] : [])]
}

function queryOf(text: string): readonly (readonly [string, string])[] {
  const address = /^https?%3a/i.test(text) ? decoded(text) : text
  if (!ADDRESS.test(address) || !URL.canParse(address)) return []
  return [...new URL(address).searchParams]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
