// Texts about marking a contact as private.

export const MARK = 'Marcar como particular'
export const STAYS = 'Este lead fica no quadro'
export const MARK_FAILED = 'Não foi possível marcar. Tente de novo.'

export const leftTheBoard = (name: string) => `${name} saiu do quadro`
