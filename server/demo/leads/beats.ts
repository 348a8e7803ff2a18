// The moments of a story: who speaks, how long after the moment before, and in which lines.
import { ASSISTANT_LINES, BROKER_LINES } from '../dialogue/broker-messages.ts'
import { LEAD_LINES } from '../dialogue/lead-messages.ts'

export type Speaker = 'lead' | 'broker' | 'agent'

/** How the next moment follows; reply-times.ts makes seconds of it. */
export type Gap =
  'arrival' | 'machine' | 'chat' | 'response' | 'hours' | 'days' | 'week' | 'visitMorning' | 'afterVisit'

export type Beat = { by: Speaker; after: Gap; lines: readonly string[] }

const lead = (after: Gap, lines: readonly string[]): Beat => ({ by: 'lead', after, lines })
const broker = (after: Gap, lines: readonly string[]): Beat => ({ by: 'broker', after, lines })
const agent = (lines: readonly string[]): Beat => ({ by: 'agent', after: 'machine', lines })

export const BEATS = {
  open: lead('arrival', LEAD_LINES.open),
  insist: lead('hours', LEAD_LINES.insist),
  formReply: lead('hours', LEAD_LINES.formReply),
  ask: lead('chat', LEAD_LINES.ask),
  askLater: lead('hours', LEAD_LINES.ask),
  purpose: lead('chat', LEAD_LINES.purpose),
  thinking: lead('chat', LEAD_LINES.thinking),
  accept: lead('chat', LEAD_LINES.accept),
  onTheWay: lead('chat', LEAD_LINES.onTheWay),
  noShow: lead('chat', LEAD_LINES.noShow),
  liked: lead('hours', LEAD_LINES.liked),
  hesitate: lead('hours', LEAD_LINES.hesitate),
  counter: lead('hours', LEAD_LINES.counter),
  documents: lead('days', LEAD_LINES.documents),
  approved: lead('week', LEAD_LINES.approved),
  signed: lead('hours', LEAD_LINES.signed),
  afterSale: lead('week', LEAD_LINES.afterSale),
  comeback: lead('hours', LEAD_LINES.comeback),
  tooExpensive: lead('hours', LEAD_LINES.tooExpensive),
  boughtElsewhere: lead('hours', LEAD_LINES.boughtElsewhere),
  willWait: lead('days', LEAD_LINES.willWait),
  refusedByBank: lead('week', LEAD_LINES.refusedByBank),
  mistake: lead('hours', LEAD_LINES.mistake),
  agentName: lead('chat', LEAD_LINES.agentName),
  agentPurpose: lead('chat', LEAD_LINES.agentPurpose),
  agentRooms: lead('chat', LEAD_LINES.agentRooms),

  agentHello: agent(ASSISTANT_LINES.agentHello),
  agentMoveIn: agent(ASSISTANT_LINES.agentMoveIn),
  agentSize: agent(ASSISTANT_LINES.agentSize),
  agentHandover: agent(ASSISTANT_LINES.agentHandover),

  reply: broker('response', BROKER_LINES.reply),
  takeOver: broker('response', BROKER_LINES.takeOver),
  formFirst: broker('response', BROKER_LINES.formFirst),
  answer: broker('chat', BROKER_LINES.answer),
  invite: broker('chat', BROKER_LINES.invite),
  confirm: broker('chat', BROKER_LINES.confirm),
  remind: broker('visitMorning', BROKER_LINES.remind),
  afterVisit: broker('afterVisit', BROKER_LINES.afterVisit),
  reschedule: broker('chat', BROKER_LINES.reschedule),
  proposal: broker('hours', BROKER_LINES.proposal),
  concede: broker('hours', BROKER_LINES.concede),
  askDocuments: broker('chat', BROKER_LINES.askDocuments),
  received: broker('chat', BROKER_LINES.received),
  celebrate: broker('chat', BROKER_LINES.celebrate),
  contract: broker('days', BROKER_LINES.contract),
  congratulate: broker('chat', BROKER_LINES.congratulate),
  saleAnswer: broker('chat', BROKER_LINES.saleAnswer),
  firstFollowUp: broker('days', BROKER_LINES.firstFollowUp),
  secondFollowUp: broker('week', BROKER_LINES.secondFollowUp),
  farewell: broker('week', BROKER_LINES.farewell),
  letGo: broker('chat', BROKER_LINES.letGo),
  apologize: broker('chat', BROKER_LINES.apologize),
} satisfies Record<string, Beat>

export type BeatName = keyof typeof BEATS
