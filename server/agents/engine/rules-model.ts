// The demonstration's model: answers by a few rules from the given facts, and says that it is one.
import type { ChatMessage, Completion, Engine } from './engine.ts'

/** Name on the screen. */
export const RULES_MODEL = 'modelo de demonstração: responde por regras'

/** Four characters a token: the demonstration's usage should look real. */
const LETTERS_A_TOKEN = 4

type Fact = { label: string; value: string }

const HANDED_OVER = 'Claro. Vou chamar um corretor para falar com você por aqui.'

const RULES: readonly { asks: RegExp; answer: (facts: readonly Fact[]) => string | null }[] = [
  {
    asks: /\b(corretor|pessoa de verdade|atendente|humano|reclama)/i,
    answer: () => HANDED_OVER,
  },
  {
    asks: /rob[oô]|máquina|inteligência artificial|\bIA\b/i,
    answer: () => 'Sou o assistente da equipe. Se preferir, chamo um corretor.',
  },
  {
    asks: /pre[cç]o|valor|quanto|custa|tabela/i,
    answer: (facts) => say(facts, /pre[cç]o|valor|a partir|tabela/i),
  },
  { asks: /entrega|pronto|prazo|obra/i, answer: (facts) => say(facts, /entrega|prazo|obra/i) },
  { asks: /vaga|garagem|carro/i, answer: (facts) => say(facts, /vaga|garagem/i) },
  {
    asks: /financ|carta|permuta|entrada|fgts/i,
    answer: (facts) => say(facts, /financ|carta|permuta|entrada|fgts/i),
  },
  {
    asks: /visita|conhecer|ver o|hor[aá]rio/i,
    answer: () => 'Que dia da semana fica melhor para a visita, e de manhã ou à tarde?',
  },
  {
    asks: /onde|endere[cç]o|localiza|bairro/i,
    answer: (facts) => say(facts, /onde|endere[cç]o|bairro|local/i),
  },
]
const ELSE = 'Obrigado pela mensagem. Você procura para morar ou para investir, e com quantos quartos?'

function say(facts: readonly Fact[], about: RegExp): string | null {
  const found = facts.find(({ label, value }) => about.test(`${label} ${value}`))
  return found ? `${found.label}: ${found.value}.` : null
}

export function createRulesModel(): Engine {
  return {
    model: RULES_MODEL,
    isDemo: true,
    complete: ({ messages }) => Promise.resolve(completionOf(messages)),
  }
}

function completionOf(messages: readonly ChatMessage[]): Completion {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const facts = factsOf(messages.find(({ role }) => role === 'system')?.content ?? '')
  const answer = RULES.find(({ asks }) => asks.test(asked))
  const text = answer ? (answer.answer(facts) ?? HANDED_OVER) : ELSE
  const read = messages.reduce((sum, { content }) => sum + content.length, 0)
  return {
    text,
    toolCalls: [],
    usage: {
      inputTokens: Math.ceil(read / LETTERS_A_TOKEN),
      outputTokens: Math.ceil(text.length / LETTERS_A_TOKEN),
      isEstimated: true,
    },
  }
}

/**
 * Reads the lines '- label: value' under 'Fatos' in the prompt (turns/prompt.ts); the rules there have the
 * same form and are skipped.
 */
function factsOf(prompt: string): Fact[] {
  const facts = /(?:^|\n\n)Fatos:\n([\s\S]*?)(?:\n\n|$)/.exec(prompt)?.[1] ?? ''
  return [...facts.matchAll(/^- ([^:\n]+): (.+?)\.?$/gm)].map(([, label = '', value = '']) => ({
    label,
    value,
  }))
}
