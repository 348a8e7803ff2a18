// Texts for opt-outs, and for ending one.

export const OPTED_OUT = 'Não quer campanhas'
export const ALLOW = 'Permitir de novo'
export const ALLOW_FAILED = 'Erro ao permitir de novo. Tente outra vez.'
export const allowed = (name: string) => `${name} pode receber campanhas de novo`

/** Asks the administrator for confirmation; `run` then ends the opt-out. */
export const allowQuestion = (name: string, run: () => void) => ({
  question: `Permitir campanhas para ${name}?`,
  consequence: 'Faça isso só se a pessoa pediu. Ela volta a poder receber campanhas de todos os corretores.',
  action: { label: ALLOW, run, tone: 'primary' as const },
})
