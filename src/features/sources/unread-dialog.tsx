// Shows an unreadable delivery. The user tells what each value means, for all deliveries of the source, or deletes the
// delivery.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '#ui/feedback/ask.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import {
  changeSource,
  discardUnread,
  type Mapping,
  readAgain,
  type Unread,
  type UnreadBody,
  unreadBodyQuery,
} from './data.ts'
import { flatValues, guessMapping } from './flat-values.ts'
import { CHANGE_FAILED, READING, readText } from './texts.ts'

/** What a value of a delivery can mean. */
const FIELD = {
  number: 'Telefone',
  name: 'Nome',
  email: 'E-mail',
  message: 'Mensagem',
  listing: 'Código do imóvel',
  development: 'Empreendimento',
  campaign: 'Campanha',
  source: 'Origem',
  externalId: 'Identificador do envio',
  consentAt: 'Data do consentimento',
} as const

const DISCARD = 'Descartar'

export function UnreadDialog({ unread, onClose }: { unread: Unread | null; onClose: () => void }) {
  // The closing animation still shows this delivery, so that its text does not vanish at once.
  const [last, setLast] = useState(unread)
  if (unread && unread !== last) setLast(unread)
  if (!last) return null
  return (
    <Dialog
      isOpen={unread !== null}
      onClose={onClose}
      title="Conteúdo da entrega"
      subtitle={last.keyName}
      width="wide"
    >
      <Body key={last.id} unread={last} onClose={onClose} />
    </Dialog>
  )
}

function Body({ unread: { id, keyId }, onClose }: { unread: Unread; onClose: () => void }) {
  const read = useQuery(unreadBodyQuery(id))
  const { data: body } = read
  const discard = useMutation({
    ...discardUnread(),
    onSuccess: () => {
      toast('Entrega descartada', 'success')
      onClose()
    },
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  if (!body) return read.error ? <FailedRead of={read} /> : <Skeleton className="mx-3 h-60 rounded-md!" />
  return (
    <div className="flex flex-col gap-4 px-3">
      <Fields body={body} keyId={keyId} onDone={onClose} />
      <Collapsible title="Como chegou">
        <pre className="max-h-72 overflow-auto px-5 pb-5 font-mono text-13 break-all whitespace-pre-wrap">
          {body.body}
        </pre>
      </Collapsible>
      <span>
        <Button
          variant="dangerLine"
          size="small"
          disabled={discard.isPending}
          onClick={() =>
            ask({
              question: 'Descartar esta entrega?',
              consequence: 'O conteúdo é excluído e nenhum lead entra por ele.',
              action: { label: DISCARD, run: () => discard.mutate([id]) },
            })
          }
        >
          {DISCARD}
        </Button>
      </span>
    </div>
  )
}

type FieldsProps = { body: UnreadBody; keyId: string; onDone: () => void }

function Fields({ body, keyId, onDone }: FieldsProps) {
  const values = flatValues(body.values)
  const [mapping, setMapping] = useState<Mapping>(() =>
    Object.keys(body.settings.mapping).length > 0 ? body.settings.mapping : guessMapping(values),
  )
  const change = useMutation({ ...changeSource(keyId), onError: () => toast(CHANGE_FAILED, 'error') })
  const again = useMutation({
    ...readAgain(),
    onSuccess: (read) => {
      const { text, tone } = readText(read)
      toast(text, tone)
      if (tone === 'success') onDone()
    },
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  if (values.length === 0)
    return (
      <p className="text-14 leading-body text-text-2">
        Não há campos que se possa ler aqui: o conteúdo não é JSON nem formulário.
      </p>
    )
  const save = () => change.mutate({ settings: { mapping } }, { onSuccess: () => again.mutate([body.id]) })
  return (
    <>
      <h3 className="text-15 font-semibold">Correspondência dos campos</h3>
      <p className="text-14 leading-body text-text-2">
        Diga o que é cada campo. Vale para as próximas entregas desta fonte também.
      </p>
      <ul className="flex flex-col">
        {values.map(({ path, text }) => (
          <li
            key={path}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 shadow-topbar last:shadow-none"
          >
            <span className="min-w-40 grow basis-0">
              <span className="block font-mono text-12 wrap-anywhere text-text-3">{path}</span>
              <span className="line-clamp-2 text-14 wrap-anywhere">{text}</span>
            </span>
            <select
              aria-label={`O que é ${path}`}
              value={Object.entries(mapping).find(([, at]) => at === path)?.[0] ?? ''}
              onChange={({ target }) => setMapping(mapped(mapping, target.value, path))}
              className="min-h-11 w-44 rounded-ctl bg-surface px-2.5 text-16 shadow-input outline-none focus-visible:shadow-input-focus lg:min-h-9 lg:text-14"
            >
              <option value="">Outro</option>
              {Object.entries(FIELD).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      <Button busy={(change.isPending || again.isPending) && READING} onClick={save}>
        Salvar e ler de novo
      </Button>
    </>
  )
}

/**
 * Assigns a path to a field. A field has at most one path, and a path at most one field, so former ones are removed.
 */
function mapped(mapping: Mapping, field: string, path: string): Mapping {
  const others = Object.entries(mapping).filter(([name, at]) => name !== field && at !== path)
  return Object.fromEntries(field === '' ? others : [...others, [field, path]])
}
