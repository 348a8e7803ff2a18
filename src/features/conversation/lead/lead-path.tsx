// A lead's history in plain words, newest step first, with the durations of the first ones.
import { sourceLabel } from '#domain/lead/source.ts'
import { ACTION_LABEL } from '#domain/next-action/words.ts'
import type { PathStep } from './data.ts'
import { gapOf } from '#domain/lead/path.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { momentOf } from './texts.ts'

/** `you` is the reader's own instance name; null for administrators. */
function stepText({ kind, word, by }: PathStep, you: string | null): string {
  const isYou = by !== null && by === you
  const to = isYou ? ' a você' : ' a outro corretor'
  const rotation = word === null ? '' : ` pela roleta ${word}`
  switch (kind) {
    case 'arrived':
      return word === null || word === 'desconhecida' ? 'Chegou' : `Chegou por ${sourceLabel(word)}`
    case 'wrote':
      return 'Primeira mensagem do lead'
    case 'answered':
      return isYou ? 'Você respondeu' : 'Primeira resposta'
    case 'offered':
      return `Oferecido${to}${rotation}`
    case 'given':
      return `Entregue${to}${rotation}`
    case 'accepted':
      return isYou ? 'Aceito por você' : 'Aceito por outro corretor'
    case 'passed':
      return isYou ? 'Você passou' : 'Passado adiante'
    case 'expired':
      return 'O tempo de aceitar acabou'
    case 'pooled':
      return 'Foi para o bolsão'
    case 'claimed':
      return isYou ? 'Pego por você no bolsão' : 'Pego no bolsão'
    case 'moved':
      return `Foi para ${word}`
    case 'handed':
      return isYou ? 'Passou a ser seu' : 'Mudou de corretor'
    case 'did':
      return `${Object.entries(ACTION_LABEL).find(([action]) => action === word)?.[1] ?? 'Tarefa'}: feito`
    case 'visited':
      return `Abriu a página de ${word}`
    default:
      return kind
  }
}

type LeadPathProps = { steps: readonly PathStep[]; you: string | null; nowMs: number }

export function LeadPath({ steps, you, nowMs }: LeadPathProps) {
  return (
    <section className="border-t border-border pt-4">
      <h3 className="pb-2 text-15 font-semibold">Caminho do lead</h3>
      <ol className="ml-1 flex flex-col">
        {steps.map((step, index) => {
          const gap = gapOf(steps, index)
          return (
            // The key counts from the end, because new steps come first. Two steps may share a second, so the time is
            // no key.
            <li key={steps.length - index} className="relative border-l border-border pb-4 pl-4 last:pb-0">
              <span aria-hidden className="absolute top-1.5 -left-1 size-2 rounded-full bg-primary" />
              <div className="flex items-start gap-2">
                <p className="min-w-0 grow text-15 leading-snug wrap-anywhere">{stepText(step, you)}</p>
                {gap && <Badge tone={step.kind === 'answered' ? 'success' : 'neutral'}>{gap}</Badge>}
              </div>
              <time dateTime={new Date(step.atMs).toISOString()} className="text-13 text-text-3 tabular-nums">
                {momentOf(step.atMs, nowMs)}
              </time>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
