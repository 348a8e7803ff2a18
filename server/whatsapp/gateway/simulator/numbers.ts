// Decides which numbers have WhatsApp and under what address, by the gateway's normalisation and WhatsApp's answer.
import { digitsOf } from '#domain/phone/phone.ts'

/** WhatsApp's data about a number; by default every number has WhatsApp. */
export type Subscriber = { exists: boolean; jid?: string; lid?: string }
export type Resolved = { jid: string; exists: boolean; number: string }

export type Numbers = ReturnType<typeof createNumbers>

export function createNumbers() {
  const subscribers = new Map<string, Subscriber>()
  const cached = new Set<string>()
  return {
    /** Adds a subscriber under the digits that people write. */
    set(number: string, subscriber: Subscriber) {
      subscribers.set(number, { ...subscribers.get(number), ...subscriber })
    },
    lidOf: (number: string) => subscribers.get(number)?.lid,
    /** The phone number of a hidden id (LID). */
    ofLid: (lid: string) => [...subscribers].find(([, subscriber]) => subscriber.lid === lid)?.[0],
    /** Whether the gateway answers from its cache (seven days, for all instances). */
    isCached: (number: string) => cached.has(toJid(number)),
    remember(number: string) {
      cached.add(toJid(number))
    },
    resolve(number: string): Resolved {
      const asked = toJid(number)
      if (asked.endsWith('@lid') || asked.endsWith('@g.us')) return { jid: asked, exists: true, number }
      const subscriber = subscribers.get(digitsOf(number)) ?? subscribers.get(digitsOf(asked))
      if (subscriber?.exists === false) return { jid: asked, exists: false, number }
      const jid = subscriber?.jid ?? asked
      // Only plain numbers with 55 are matched with and without the 9.
      const isMatched = jid === asked || /^55\d+$/.test(number)
      if (isMatched) cached.add(asked)
      return isMatched ? { jid, exists: true, number } : { jid: asked, exists: false, number }
    },
  }
}

/** The gateway's normalisation, which drops the 9 of numbers outside São Paulo, Rio and Espírito Santo. */
function toJid(number: string): string {
  if (/@(s\.whatsapp\.net|lid|g\.us)$/.test(number)) return number
  const digits = digitsOf(number)
  if (digits.length >= 18) return `${digits}@g.us`
  const mobile = /^55(\d\d)9([7-9]\d{7})$/.exec(digits)
  if (mobile === null || Number(mobile[1]) < 31) return `${digits}@s.whatsapp.net`
  return `55${mobile[1]}${mobile[2]}@s.whatsapp.net`
}
