// A summary of the conversation for whoever takes the lead over: written on demand by a model, for the reader alone.
import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { countOf } from '#domain/count.ts'
import { Button } from '#ui/primitives/button.tsx'
import { summarizeLead } from './summary-data.ts'

export function LeadSummary({ leadId }: { leadId: number }) {
  const { mutate, data, error, isPending } = useMutation(summarizeLead(leadId))
  return (
    <section
      aria-label="Resumo da conversa"
      className="flex flex-col gap-2 rounded-lg bg-surface-2 px-4 py-3"
    >
      <p className="text-13 text-text-2">
        {data
          ? `Escrito por um modelo (${data.model}) das últimas ${countOf(data.messages, 'mensagem', 'mensagens')}. Pode errar: confira na conversa. O lead não recebe.`
          : 'Um modelo resume a conversa para quem assume o lead. Só você lê: nada é enviado.'}
      </p>
      {data && <p className="text-15 leading-body whitespace-pre-line wrap-anywhere">{data.text}</p>}
      {error && (
        <p role="alert" className="text-14 text-on-danger-soft">
          {error.message}
        </p>
      )}
      <Button variant="line" icon={Sparkles} busy={isPending && 'Resumindo…'} onClick={() => mutate()}>
        {data ? 'Resumir de novo' : 'Resumir a conversa'}
      </Button>
    </section>
  )
}
