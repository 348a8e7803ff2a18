// A stage, which is a column of the board.

export type Stage = {
  id: string
  name: string
  slug: string
  position: number
  kind: 'open' | 'won' | 'lost'
  /** One of the nine colours. Stages stored by earlier versions lack it. */
  hue?: string
}

/** 'Novos Contatos': the stage of new leads, which cannot be deleted. */
export const DEFAULT_STAGE_SLUG = 'new'
