// Icons that every card of a long list repeats, each drawn as one path: Lucide's lines at half the nodes. PRODUCT.md 5.
import { createLucideIcon } from 'lucide-react'

const drawn = (name: string, d: string) => createLucideIcon(name, [['path', { d, key: name }]])

export const NoteGlyph = drawn(
  'sticky-note',
  'M21 9a2.4 2.4 0 0 0-.706-1.706l-3.588-3.588A2.4 2.4 0 0 0 15 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2zM15 3v5a1 1 0 0 0 1 1h5',
)
export const MoveGlyph = drawn('arrow-left-right', 'M8 3 4 7l4 4M4 7h16M16 21l4-4-4-4M20 17H4')
export const PersonGlyph = drawn(
  'circle-user-round',
  'M17.925 20.056a6 6 0 0 0-11.851.001M8 11a4 4 0 1 0 8 0 4 4 0 1 0-8 0M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0',
)
