// Tells what prevents a campaign's start or when it will end, and has the start button.
import { Send } from 'lucide-react'
import { Button } from '#ui/primitives/button.tsx'
import { forecastWords, contacts } from '../texts.ts'
import type { CampaignStart } from './use-campaign-start.ts'

/** The sentence for each problem that prevents the start. */
const START_PROBLEM = {
  offline: 'Sem conexão. A campanha começa quando você estiver online.',
  'no-stage': 'Escolha um kanban.',
  loading: 'Carregando os contatos…',
  'no-contacts': 'Escolha ao menos um contato.',
  empty: 'Escreva a mensagem.',
  'too-long': 'A mensagem é longa demais.',
  preparing: 'Espere o anexo ficar pronto.',
  'file-lost': 'Anexe o arquivo de novo ou remova-o.',
  unsent: 'Espere as alterações dos contatos serem enviadas.',
  'no-time': 'Escolha quando começar.',
  past: 'Escolha um horário no futuro.',
} as const

const uploading = (percent: number) => `Enviando o anexo… ${percent}%`

type StartBarProps = CampaignStart & { count: number; nowMs: number; hasFile: boolean }

export function StartBar({ count, problem, forecast, nowMs, progress, hasFile, ...end }: StartBarProps) {
  const busy = progress !== null && (hasFile ? uploading(Math.round(progress * 100)) : 'Iniciando...')
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-2 bg-surface px-4 pt-3 pb-[max(12px,var(--safe-bottom))] shadow-rail lg:static [@media(height<30rem)]:static lg:col-start-2 lg:mx-0 lg:rounded-lg lg:p-4 lg:shadow-card">
      <p role="alert" className="text-14 leading-snug text-danger empty:hidden">
        {end.refusal}
      </p>
      <output className="text-13 leading-snug text-text-2 empty:hidden">
        {problem ? START_PROBLEM[problem] : forecast && count > 0 && forecastWords(forecast, nowMs)}
      </output>
      <Button
        size="large"
        icon={Send}
        disabled={problem !== null && progress === null}
        busy={busy}
        onClick={end.onStart}
      >
        {`Iniciar Remarketing (${contacts(count)})`}
      </Button>
    </div>
  )
}
