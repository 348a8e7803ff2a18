// The stories of leads, from the first message to the final stage; each ends in the stage it is listed under.
import type { BeatName } from './beats.ts'

export type StageSlug = 'new' | 'conversa' | 'negociacao' | 'fechado' | 'arquivado'

/**
 * Moments that depend on how a lead arrives (arrivals.ts): its beginning, a second request, the first message
 * to it, the first answer.
 */
export type OpeningStep = 'first' | 'again' | 'firstWord' | 'firstAnswer'

/** 'topics': some questions with answers. `move`: the broker moves the card after the previous moment. */
export type Step = BeatName | OpeningStep | 'topics' | { move: StageSlug }

export type Arc = readonly Step[]

const talking: Arc = ['first', 'firstAnswer', { move: 'conversa' }, 'topics']
const visiting: Arc = [...talking, 'invite', 'accept', 'confirm']
const visited: Arc = [...visiting, 'remind', 'onTheWay', 'afterVisit']
const negotiating: Arc = [...visited, 'liked', 'proposal', { move: 'negociacao' }]
const analysed: Arc = [...negotiating, 'counter', 'concede', 'askDocuments', 'documents', 'received']
const sold: Arc = [
  ...analysed,
  'approved',
  'celebrate',
  'contract',
  'signed',
  'congratulate',
  { move: 'fechado' },
]
const archived: Step = { move: 'arquivado' }

export const ARCS: Record<StageSlug, readonly (readonly [Arc, number])[]> = {
  new: [
    [['first'], 30],
    [['first', 'again'], 12],
    [['first', 'firstWord'], 26],
    [['first', 'firstAnswer', 'topics', 'thinking'], 22],
    [['first', 'firstWord', 'firstFollowUp'], 10],
  ],
  conversa: [
    [[...talking, 'thinking'], 26],
    [talking, 18],
    [visiting, 20],
    [[...talking, 'askLater'], 14],
    [[...talking, 'thinking', 'firstFollowUp', 'comeback', 'answer'], 14],
    [[...visiting, 'remind', 'noShow', 'reschedule'], 8],
  ],
  negociacao: [
    [negotiating, 24],
    [[...negotiating, 'counter'], 24],
    [[...negotiating, 'counter', 'concede'], 16],
    [[...negotiating, 'counter', 'concede', 'askDocuments', 'documents'], 14],
    [analysed, 12],
    [[...analysed, 'approved'], 10],
  ],
  fechado: [
    [sold, 60],
    [[...sold, 'afterSale', 'saleAnswer'], 28],
    [[...sold, 'afterSale'], 12],
  ],
  arquivado: [
    [['first', 'firstWord', 'mistake', 'apologize', archived], 12],
    [['first', 'firstWord', 'firstFollowUp', 'secondFollowUp', archived], 16],
    [[...talking, 'thinking', 'firstFollowUp', 'secondFollowUp', 'farewell', archived], 22],
    [[...talking, 'tooExpensive', 'letGo', archived], 16],
    [[...talking, 'thinking', 'firstFollowUp', 'boughtElsewhere', 'letGo', archived], 12],
    [[...visiting, 'remind', 'noShow', 'reschedule', 'firstFollowUp', archived], 6],
    [[...visited, 'hesitate', 'firstFollowUp', 'willWait', 'letGo', archived], 8],
    [[...negotiating, 'counter', 'concede', 'willWait', 'letGo', archived], 4],
    [[...analysed, 'refusedByBank', 'letGo', archived], 4],
  ],
}
