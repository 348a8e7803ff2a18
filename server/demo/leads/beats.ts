// The moments of a story: the speaker, the delay, and the possible lines.
import { ASSISTANT_MESSAGES, BROKER_MESSAGES } from '../dialogue/broker-messages.ts'
import { LEAD_MESSAGES } from '../dialogue/lead-messages.ts'

export type Speaker = 'lead' | 'broker' | 'agent'

/** Kinds of delay before a moment; reply-times.ts turns them into seconds. */
export type Gap =
  'arrival' | 'machine' | 'chat' | 'response' | 'hours' | 'days' | 'week' | 'visitMorning' | 'afterVisit'

export type Beat = { by: Speaker; after: Gap; messages: readonly string[] }

const lead = (after: Gap, messages: readonly string[]): Beat => ({ by: 'lead', after, messages })
const broker = (after: Gap, messages: readonly string[]): Beat => ({ by: 'broker', after, messages })
const agent = (messages: readonly string[]): Beat => ({ by: 'agent', after: 'machine', messages })

export const BEATS = {
  open: lead('arrival', LEAD_MESSAGES.open),
  insist: lead('hours', LEAD_MESSAGES.insist),
  formReply: lead('hours', LEAD_MESSAGES.formReply),
  ask: lead('chat', LEAD_MESSAGES.ask),
  askLater: lead('hours', LEAD_MESSAGES.ask),
  purpose: lead('chat', LEAD_MESSAGES.purpose),
  thinking: lead('chat', LEAD_MESSAGES.thinking),
  accept: lead('chat', LEAD_MESSAGES.accept),
  onTheWay: lead('chat', LEAD_MESSAGES.onTheWay),
  noShow: lead('chat', LEAD_MESSAGES.noShow),
  liked: lead('hours', LEAD_MESSAGES.liked),
  hesitate: lead('hours', LEAD_MESSAGES.hesitate),
  counter: lead('hours', LEAD_MESSAGES.counter),
  documents: lead('days', LEAD_MESSAGES.documents),
  approved: lead('week', LEAD_MESSAGES.approved),
  signed: lead('hours', LEAD_MESSAGES.signed),
  afterSale: lead('week', LEAD_MESSAGES.afterSale),
  comeback: lead('hours', LEAD_MESSAGES.comeback),
  tooExpensive: lead('hours', LEAD_MESSAGES.tooExpensive),
  boughtElsewhere: lead('hours', LEAD_MESSAGES.boughtElsewhere),
  willWait: lead('days', LEAD_MESSAGES.willWait),
  refusedByBank: lead('week', LEAD_MESSAGES.refusedByBank),
  mistake: lead('hours', LEAD_MESSAGES.mistake),
  agentName: lead('chat', LEAD_MESSAGES.agentName),
  agentPurpose: lead('chat', LEAD_MESSAGES.agentPurpose),
  agentRooms: lead('chat', LEAD_MESSAGES.agentRooms),

  agentHello: agent(ASSISTANT_MESSAGES.agentHello),
  agentMoveIn: agent(ASSISTANT_MESSAGES.agentMoveIn),
  agentSize: agent(ASSISTANT_MESSAGES.agentSize),
  agentHandover: agent(ASSISTANT_MESSAGES.agentHandover),

  reply: broker('response', BROKER_MESSAGES.reply),
  takeOver: broker('response', BROKER_MESSAGES.takeOver),
  formFirst: broker('response', BROKER_MESSAGES.formFirst),
  answer: broker('chat', BROKER_MESSAGES.answer),
  invite: broker('chat', BROKER_MESSAGES.invite),
  confirm: broker('chat', BROKER_MESSAGES.confirm),
  remind: broker('visitMorning', BROKER_MESSAGES.remind),
  afterVisit: broker('afterVisit', BROKER_MESSAGES.afterVisit),
  reschedule: broker('chat', BROKER_MESSAGES.reschedule),
  proposal: broker('hours', BROKER_MESSAGES.proposal),
  concede: broker('hours', BROKER_MESSAGES.concede),
  askDocuments: broker('chat', BROKER_MESSAGES.askDocuments),
  received: broker('chat', BROKER_MESSAGES.received),
  celebrate: broker('chat', BROKER_MESSAGES.celebrate),
  contract: broker('days', BROKER_MESSAGES.contract),
  congratulate: broker('chat', BROKER_MESSAGES.congratulate),
  saleAnswer: broker('chat', BROKER_MESSAGES.saleAnswer),
  firstFollowUp: broker('days', BROKER_MESSAGES.firstFollowUp),
  secondFollowUp: broker('week', BROKER_MESSAGES.secondFollowUp),
  farewell: broker('week', BROKER_MESSAGES.farewell),
  letGo: broker('chat', BROKER_MESSAGES.letGo),
  apologize: broker('chat', BROKER_MESSAGES.apologize),
} satisfies Record<string, Beat>

export type BeatName = keyof typeof BEATS
