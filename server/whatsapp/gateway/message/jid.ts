// Network addresses as the gateway writes them: phones, hidden ids (lid), and others that are no person.
import { text, type Fields } from './field.ts'

const ADDRESS = /^(\d{5,20})(?:_\d+)?(?::\d+)?@(s\.whatsapp\.net|c\.us|hosted|lid|hosted\.lid)$/i

/** The address of a person without its device, normalised; null for anything else. */
export function personJid(value: unknown): string | null {
  const written = text(value)?.trim() ?? ''
  const [, user, domain] =
    ADDRESS.exec(/^\d{8,15}$/.test(written) ? `${written}@s.whatsapp.net` : written) ?? []
  if (user === undefined || domain === undefined) return null
  return `${user}@${domain.toLowerCase().endsWith('lid') ? 'lid' : 's.whatsapp.net'}`
}

/** Whether it is an address at all, such as that of a group, a status or a channel. */
export function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^\S+@[a-z.]+$/i.test(value)
}

/** Numbers of Meta's bots and of WhatsApp's own business account. */
const BOT = /^(1313555\d{4}|131655500\d{2}|16505361212)$/
/** Brazilian numbers without an area code (0800, 0300, 4004, 3003 and similar) belong to companies. */
const COMPANY = /^55(0?[38]00\d{6,7}|[34]00\d{5})$/

/** Whether an address is a machine's, whatever else the message key contains. */
export function isMachine(value: unknown): boolean {
  const written = text(value)?.trim() ?? ''
  const user = personJid(written)?.split('@')[0] ?? ''
  return /@bot$/i.test(written) || (!/@lid$/i.test(written) && (BOT.test(user) || COMPANY.test(user)))
}

/** The people in these fields. A value without a domain is a message id. */
export function addressesIn(places: readonly Fields[], names: readonly string[]): string[] {
  const found = places
    .flatMap((fields) => names.map((name) => fields[name]))
    .map((value) => (typeof value === 'string' && value.includes('@') ? personJid(value) : null))
  return [...new Set(found)].filter((jid) => jid !== null)
}
