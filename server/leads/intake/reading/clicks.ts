// Ids of clicks on advertisements in the page addresses that forms send along.

const IN_ADDRESS = /^https?:\/\/\S+\?\S+$/i
const KINDS = ['fbclid', 'gclid', 'gbraid', 'wbraid', 'msclkid', 'ttclid'] as const

/** The click ids in addresses among a form's fields, by name; a field of that name wins. */
export function clicksIn(fields: Readonly<Record<string, string>>): Record<string, string> {
  const known = new Set(Object.keys(fields).map((name) => name.trim().toLowerCase()))
  const found: Record<string, string> = {}
  for (const value of Object.values(fields)) {
    if (!IN_ADDRESS.test(value) || !URL.canParse(value)) continue
    const { searchParams } = new URL(value)
    for (const kind of KINDS) {
      const id = searchParams.get(kind)?.trim()
      if (id && !known.has(kind)) found[kind] ??= id
    }
  }
  return found
}
