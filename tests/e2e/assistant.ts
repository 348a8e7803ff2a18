// Tests with a scripted language model, over a gateway through which leads write.
import { startDemoOverGateway } from '#tests/support/browser/e2e-portal.ts'
import { overGateway } from '#tests/support/browser/story.ts'
import { startModelServer, type Asked } from '#tests/support/model-server.ts'

/** Answers by a word in the lead's last message, because a screen may request a draft at the same time. */
const SAYS: Readonly<Record<string, string>> = {
  vaga: 'Temos duas vagas. É para morar?',
  piscina: 'Tem piscina aquecida.',
  conhecer: 'Oi! Quer que eu veja os horários de visita?',
  custa: 'O de 2 quartos sai por 350 mil.',
  tabela: 'O corretor confirma os valores com você.',
}

function answer({ body }: Asked) {
  const asked = body.messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const [, text] = Object.entries(SAYS).find(([word]) => asked.includes(word)) ?? []
  return { text: text ?? 'Sou o assistente. É para morar ou investir?' }
}

export const test = overGateway.extend<object, { model: string }>({
  model: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const model = await startModelServer(answer)
      await use(model.url)
      await model.stop()
    },
    { scope: 'worker' },
  ],
  whatsapp: [
    async ({ model }, use) => {
      const { stop, ...whatsapp } = await startDemoOverGateway({
        AGENT_API_URL: model,
        AGENT_MODEL: 'lago-mini',
      })
      await use(whatsapp)
      await stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
