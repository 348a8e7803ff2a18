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
