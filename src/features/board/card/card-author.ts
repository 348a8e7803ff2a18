// Whose the words are that went out to a lead, as whoever reads the board calls him.
import { createContext } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

/** On a broker's own board they are the reader's own. */
export const CardAuthor = createContext<(lead: Lead) => string>(() => 'Você')
