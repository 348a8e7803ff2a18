// Whose the words are that went out to a lead, as whoever reads the board calls him. Spec 2.9, 2.12.
import { createContext } from 'react'
import type { Lead } from '#domain/lead.ts'

/** On a broker's own board they are the reader's own. */
export const CardAuthor = createContext<(lead: Lead) => string>(() => 'Você')
