// The agency's name, which the server writes into the page: available at once and offline.
import { PORTAL } from './page-title.ts'

/** Empty if none is set. */
export const AGENCY = PORTAL.slice('Portal do Corretor '.length)
