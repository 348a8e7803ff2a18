// Detects automatic messages by the protocol: those of a company's platform, and sign-in codes.
import { type Fields } from './field.ts'

/**
 * `bizPrivacyStatus` of messages sent by a platform for a company, by name or number; 0 is the app on a
 * phone.
 */
const BY_PLATFORM: readonly unknown[] = ['BSP', 'FB', 'BSP_AND_FB', 1, 2, 3]
/** Target of the button in WhatsApp's templates for sign-in codes. */
const CODE_BUTTON = 'whatsapp.com/otp/'
/** The only message types with buttons. */
const WITH_BUTTONS = ['templateMessage', 'highlyStructuredMessage', 'interactiveMessage', 'buttonsMessage']

/** `data`: the whole record; `inner`: the message without its wrappers. */
export function isAutomated(data: Fields, inner: Fields): boolean {
  return (
    BY_PLATFORM.includes(data['bizPrivacyStatus']) ||
    WITH_BUTTONS.some((name) => name in inner && JSON.stringify(inner[name]).includes(CODE_BUTTON))
  )
}
