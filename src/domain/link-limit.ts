// Texts about a number that WhatsApp forbids to begin conversations.
import { formatDateTime } from './format.ts'
import type { LinkLimit } from './link.ts'

/** 'até 12/12/2026 14:30' */
const until = ({ untilMs, hasNoEnd }: LinkLimit): string =>
  hasNoEnd || untilMs === null ? 'sem dizer até quando' : `até ${formatDateTime(untilMs)}`

/** Tells what `who` may not do, until when, and what still works. */
export const limitWords = (limit: LinkLimit, who = 'este número'): string =>
  `O WhatsApp não deixa ${who} começar ${limit.isQuota ? 'mais conversas' : 'conversas'}, ${until(limit)}. Campanhas esperam; respostas a quem escreve saem normalmente.`
