// 'Ao salvar': what the edits change elsewhere.
import { countOf } from '#domain/count.ts'
import { changedPrices } from '#domain/development/differences.ts'
import { Card } from '#ui/primitives/card.tsx'
import type { DevelopmentDetails } from '../data.ts'
import type { DevelopmentDraft } from './use-development-draft.ts'

type SavingCardProps = { draft: DevelopmentDraft; usage: DevelopmentDetails['usage'] }

export function SavingCard({ draft, usage }: SavingCardProps) {
  if (!draft.isDirty) return null
  const words = [
    priceWords(changedPrices(draft.before, draft.edit), usage.agent !== null),
    draft.before.name.trim() !== draft.edit.name.trim() && nameWords(usage),
    'O material dos corretores fica como aqui. Mensagens já enviadas não mudam.',
  ].filter(Boolean)
  return (
    <Card title="Ao salvar">
      <p aria-live="polite" className="px-5 pb-4 text-13 leading-normal text-text-2">
        {words.join(' ')}
      </p>
    </Card>
  )
}

function priceWords(names: readonly string[], hasAgent: boolean): string | null {
  if (names.length === 0) return null
  const [name] = names
  const what = names.length > 1 ? `${names.length} preços mudam` : `O preço${name ? ` de ${name}` : ''} muda`
  return `${what} ${hasAgent ? 'nos fatos do agente e ' : ''}no material, com a data de hoje.`
}

function nameWords({ rotation, agent, openLeads }: DevelopmentDetails['usage']): string {
  const places = [
    rotation && 'na roleta',
    agent && 'no agente',
    openLeads > 0 && `em ${countOf(openLeads, 'lead aberto', 'leads abertos')}`,
  ].filter((place) => typeof place === 'string')
  return places.length === 0
    ? 'O nome muda.'
    : `O nome muda também ${new Intl.ListFormat('pt-BR').format(places)}.`
}
