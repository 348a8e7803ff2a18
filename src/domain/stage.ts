// A column of the board.

export type Stage = {
  id: string
  name: string
  slug: string
  position: number
  kind: 'open' | 'won' | 'lost'
}

/** 'Novos Contatos': where a lead starts, and the stage that nobody can delete. */
export const DEFAULT_STAGE_SLUG = 'new'
