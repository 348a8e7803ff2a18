// A column of the board.

export type Stage = {
  id: string
  name: string
  slug: string
  position: number
  kind: 'open' | 'won' | 'lost'
  /** One of the nine colours; what an earlier version kept on the device has none. */
  hue?: string
}

/** 'Novos Contatos': where a lead starts, and the stage that nobody can delete. */
export const DEFAULT_STAGE_SLUG = 'new'
