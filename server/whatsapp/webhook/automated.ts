// Messages that no person typed, as far as the protocol tells: those of a company's platform, and sign-in codes.
import { type Fields } from './field.ts'

/** `bizPrivacyStatus` of a message that a platform sends for a company, by name or number; 0 is an app on a phone. */
const BY_PLATFORM: readonly unknown[] = ['BSP', 'FB', 'BSP_AND_FB', 1, 2, 3]
/** Where the button of every sign-in code points that WhatsApp's own templates make. */
const CODE_BUTTON = 'whatsapp.com/otp/'
/** Only these carry buttons. */
const WITH_BUTTONS = ['templateMessage', 'highlyStructuredMessage', 'interactiveMessage', 'buttonsMessage']

/** `data` is the whole record, `inner` the message without its wrappers. */
export function isAutomated(data: Fields, inner: Fields): boolean {
  return (
    BY_PLATFORM.includes(data['bizPrivacyStatus']) ||
    WITH_BUTTONS.some((name) => name in inner && JSON.stringify(inner[name]).includes(CODE_BUTTON))
  )
}
