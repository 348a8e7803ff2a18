// Network addresses as the gateway writes them: phones, hidden ids (lid), and those that are no person.
import { text } from './field.ts'

const ADDRESS = /^(\d{5,20})(?:_\d+)?(?::\d+)?@(s\.whatsapp\.net|c\.us|hosted|lid|hosted\.lid)$/i

/** The address of a person without its device, in the one spelling we store; null for anything that is no person. */
export function personJid(value: unknown): string | null {
  const written = text(value)?.trim() ?? ''
  const [, user, domain] =
    ADDRESS.exec(/^\d{8,15}$/.test(written) ? `${written}@s.whatsapp.net` : written) ?? []
  if (user === undefined || domain === undefined) return null
  return `${user}@${domain.toLowerCase().endsWith('lid') ? 'lid' : 's.whatsapp.net'}`
}

/** Whether this is an address at all, if only of a group, a status or a channel. */
export function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^\S+@[a-z.]+$/i.test(value)
}

/** Meta's bots, and the business account of WhatsApp itself: numbers behind which no person ever is. */
const BOT = /^(1313555\d{4}|131655500\d{2}|16505361212)$/
/** Brazilian numbers without an area code (0800, 0300, 4004, 3003 and their like) are companies'. */
const COMPANY = /^55(0?[38]00\d{6,7}|[34]00\d{5})$/

/** Whether an address is a machine's, whatever else stands beside it in a key. */
export function isMachine(value: unknown): boolean {
  const written = text(value)?.trim() ?? ''
  const user = personJid(written)?.split('@')[0] ?? ''
  return /@bot$/i.test(written) || (!/@lid$/i.test(written) && (BOT.test(user) || COMPANY.test(user)))
}
