// The agency's name. The server writes it into the page, so that it is known at once and offline.
import { PORTAL } from './page-title.ts'

/** Empty if the agency has set no name. */
export const AGENCY = PORTAL.slice('Portal do Corretor '.length)
