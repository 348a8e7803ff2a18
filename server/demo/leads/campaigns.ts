// Past campaigns of the demonstration. Each counts the leads that were in its stage then, and adds its
// message to them.
import { DAY, HOUR, MINUTE, type Calendar } from '../calendar.ts'
import type { StageSlug } from './arcs.ts'
import { CAMPAIGN_PLANS, type CampaignPlan } from './campaign-plans.ts'
import { fillName } from '#domain/message/placeholder.ts'
import type { DemoBroker } from '../agency/brokers.ts'
import type { DemoPerson } from './people.ts'
import type { Random } from '../random.ts'
import { lastActivity, stageAt, type DemoLead, type DemoMessage } from './story.ts'

export type DemoCampaign = Pick<CampaignPlan, 'stage' | 'status' | 'fault' | 'message'> & {
  broker: DemoBroker
  total: number
  processed: number
  createdAt: number
  /** Recipients that the campaign did not reach before it ended. */
  missed: { number: string; body: string }[]
}

const REPLIES = [
  'Oi! Pode mandar, sim.',
  'Tenho interesse, me passa os valores?',
  'Opa, ainda estou procurando. Qual a condição?',
  'Boa! Posso visitar no fim de semana?',
  'Me liga amanhã, por favor.',
]
const REFUSALS = [
  'SAIR',
  'Quero sair da lista, por favor.',
  'Não quero mais receber mensagens.',
  'Pare de me enviar mensagens.',
]
const REPLY_SHARE = 0.09
const REFUSAL_SHARE = 0.03
const QUIET = 3 * HOUR

/** The campaigns, and the leads including the campaigns' messages. */
export function runCampaigns(leads: readonly DemoLead[], calendar: Calendar, random: Random) {
  const after = [...leads]
  const optedOut = new Set<DemoPerson>()
  const campaigns = CAMPAIGN_PLANS.flatMap(({ username, daysAgo, hour, ...plan }): DemoCampaign[] => {
    const createdAt = calendar.atHour(calendar.now - daysAgo * DAY, hour)
    const chosen = after.flatMap((lead, index) =>
      lead.broker.username === username &&
      mayReceive(lead, plan.stage, createdAt) &&
      !optedOut.has(lead.person)
        ? [{ lead, index }]
        : [],
    )
    const [first] = chosen
    if (!first) return []
    const processed = plan.status === 'completed' ? chosen.length : Math.floor(chosen.length * 0.64)
    let at = createdAt
    for (const { lead, index } of chosen.slice(0, processed)) {
      at += random.between(10, 20)
      const answered = receive(lead, { at, body: plan.message, stage: plan.stage }, { calendar, random })
      if (answered.optedOutAt !== null) optedOut.add(lead.person)
      after[index] = answered
    }
    const missed = chosen.slice(processed).map(({ lead: { person } }) => ({
      number: person.number,
      body: fillName(plan.message, person.name),
    }))
    return [{ ...plan, broker: first.lead.broker, total: chosen.length, processed, createdAt, missed }]
  })
  return { campaigns, leads: after }
}

/** Leads of the stage that have a name and are not in the middle of a conversation. */
function mayReceive(lead: DemoLead, stage: StageSlug, at: number): boolean {
  return (
    lead.person.name !== null &&
    lead.createdAt < at - DAY &&
    stageAt(lead.moves, at) === stage &&
    lead.messages.every((message) => Math.abs(message.at - at) > QUIET)
  )
}

function receive(
  lead: DemoLead,
  { at, body, stage }: { at: number; body: string; stage: StageSlug },
  { calendar, random }: { calendar: Calendar; random: Random },
): DemoLead {
  const sent: DemoMessage = { at, by: 'campaign', body: fillName(body, lead.person.name) }
  const isOver = lastActivity(lead) < at
  const answerAt = at + Math.round(random.around(25 * MINUTE, 0.8))
  const mood = isOver && answerAt < calendar.now ? random.next() : 1
  const refuses = stage === 'arquivado' && mood < REFUSAL_SHARE
  const replies = !refuses && mood < REFUSAL_SHARE + REPLY_SHARE
  const answer: DemoMessage[] =
    refuses || replies ? [{ at: answerAt, by: 'lead', body: random.pick(refuses ? REFUSALS : REPLIES) }] : []
  return {
    ...lead,
    messages: [...lead.messages, sent, ...answer].toSorted((one, other) => one.at - other.at),
    remarketingSentAt: at,
    optedOutAt: refuses ? answerAt : lead.optedOutAt,
  }
}
