// Who wrote the last message to a lead, by the name that the reader of the board knows.
import { createContext } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

/** On a broker's own board they are the reader's own. */
export const CardAuthor = createContext<(lead: Lead) => string>(() => 'Você')
