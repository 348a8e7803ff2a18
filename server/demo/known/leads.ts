// The people whom the mockups show, as fresh as there: they stand on top of their boards.
import { DAY, MINUTE, type Calendar } from '../calendar.ts'
import type { DemoBroker } from '../house/brokers.ts'
import { KNOWN_TO_CAMILA } from './camila.ts'
import { KNOWN_TO_JULIANA, KNOWN_TO_MARCELO } from './colleagues.ts'
import type { KnownLead, When } from './known-lead.ts'
import type { Random } from '../random.ts'
import type { DemoLead } from '../leads/story.ts'
import { fill } from '../talk/fill.ts'
import { greetingAt } from '../talk/slots.ts'

const KNOWN_LEADS: Readonly<Record<string, readonly KnownLead[]>> = {
  camila: KNOWN_TO_CAMILA,
  juliana: KNOWN_TO_JULIANA,
  marcelo: KNOWN_TO_MARCELO,
}

export function knownLeadsOf(broker: DemoBroker, calendar: Calendar, random: Random): DemoLead[] {
  const timeOf = (when: When) =>
    typeof when === 'number'
      ? calendar.now - Math.round(when * MINUTE)
      : calendar.atHour(calendar.now - when.daysAgo * DAY, when.hour)

  return (KNOWN_LEADS[broker.username] ?? []).map((known) => {
    const messages = known.lines.map(([by, when, text]) => {
      const at = timeOf(when)
      return { at, by, body: fill(text, [{ saudacao: greetingAt(at, calendar) }], random).join(' ') }
    })
    return {
      person: {
        name: known.name,
        firstName: known.name?.split(' ')[0] ?? null,
        gender: known.gender,
        number: known.number,
      },
      broker,
      source: known.source,
      adCampaign: known.adCampaign ?? null,
      development: known.development,
      isHandedOut: false,
      notes: known.notes ?? null,
      createdAt: messages[0]?.at ?? calendar.now,
      messages,
      moves: (known.moves ?? []).map(([when, to]) => ({ at: timeOf(when), to })),
      remarketingSentAt: null,
      optedOutAt: null,
    }
  })
}

export const KNOWN_NUMBERS: readonly string[] = Object.values(KNOWN_LEADS)
  .flat()
  .map(({ number }) => number)
