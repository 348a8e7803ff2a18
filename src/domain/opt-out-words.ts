// The words for who asked to be left alone by campaigns, and for the way back.

export const OPTED_OUT = 'Não quer campanhas'
export const ALLOW = 'Permitir de novo'
export const ALLOW_FAILED = 'Erro ao permitir de novo. Tente outra vez.'
export const allowed = (name: string) => `${name} pode receber campanhas de novo`

/** What an administrator is asked before; `run` does it. */
export const allowQuestion = (name: string, run: () => void) => ({
  question: `Permitir campanhas para ${name}?`,
  consequence: 'Faça isso só se a pessoa pediu. Ela volta a poder receber campanhas de todos os corretores.',
  action: { label: ALLOW, run, tone: 'primary' as const },
})
