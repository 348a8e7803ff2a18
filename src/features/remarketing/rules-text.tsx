// Shows the sending rules to brokers as text.
import { countOf } from '#domain/count.ts'
import type { CampaignSettings } from '#data/campaign-rules.ts'

/** Returns one line of text for each rule. */
function ruleLines(settings: CampaignSettings): { title: string; text: string }[] {
  const { opensAt, closesAt, sendsOnSundays, dailyCap, warmUpFrom, warmUpDays, restDays } = settings
  const sundays = sendsOnSundays ? 'todos os dias' : 'de segunda a sábado'
  const isAlwaysOpen = opensAt === 0 && closesAt === 24
  return [
    {
      title: 'Horário permitido',
      text: isAlwaysOpen
        ? `As campanhas enviam a qualquer hora, ${sundays}.`
        : `As campanhas enviam das ${opensAt}h às ${closesAt}h, ${sundays}. Fora disso elas esperam.`,
    },
    {
      title: 'Limite por dia',
      text: `Até ${countOf(dailyCap, 'mensagem', 'mensagens')} de campanha por número.`,
    },
    {
      title: 'Aquecimento do número',
      text: `No primeiro dia de campanha um número envia até ${warmUpFrom}; o limite sobe aos poucos e é alcançado no ${warmUpDays}º dia.`,
    },
    {
      title: 'Descanso',
      text:
        restDays === 0
          ? 'O mesmo contato pode receber uma campanha por dia.'
          : `Quem recebeu uma campanha nos últimos ${countOf(restDays, 'dia', 'dias')} fica de fora da próxima.`,
    },
    {
      title: 'Quem pediu para sair',
      text: 'Não recebe campanhas de nenhum corretor.',
    },
    {
      title: 'Conversas',
      text: 'O que você escreve a um contato sai na hora, mesmo com uma campanha em andamento.',
    },
  ]
}

export function RulesText({ settings }: { settings: CampaignSettings }) {
  return (
    <ul className="flex flex-col gap-3 px-3 pb-2">
      {ruleLines(settings).map(({ title, text }) => (
        <li key={title}>
          <p className="text-15 font-medium">{title}</p>
          <p className="text-14 leading-message text-text-2">{text}</p>
        </li>
      ))}
    </ul>
  )
}
