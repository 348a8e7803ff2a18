// Lists names in leads and sources that match no development. An administrator tells once what each name means.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { countOf } from '#domain/count.ts'
import { toast } from '#ui/feedback/toast.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { addDevelopment, bindText, type DevelopmentRow, unboundQuery, type UnboundText } from './data.ts'

const NEW_ONE = 'novo'

export function UnboundTexts({ developments }: { developments: readonly DevelopmentRow[] }) {
  const { data: texts = [] } = useQuery(unboundQuery())
  if (texts.length === 0) return null
  return (
    <div className="mt-5">
      <Collapsible title={countOf(texts.length, 'nome sem empreendimento', 'nomes sem empreendimento')}>
        <p className="px-5 pb-3 text-14 text-text-2">
          Leads e fontes têm estes nomes. Diga uma vez qual empreendimento é cada um, e as grafias contam
          juntas.
        </p>
        <ul className="flex flex-col gap-2.5 px-5 pb-5">
          {texts.map((text) => (
            <UnboundRow key={text.text} {...text} developments={developments} />
          ))}
        </ul>
      </Collapsible>
    </div>
  )
}

function UnboundRow({
  text,
  leads,
  developments,
}: UnboundText & { developments: readonly DevelopmentRow[] }) {
  const isOnline = useIsOnline()
  const [chosen, setChosen] = useState('')
  const onError = (error: Error) => toast(error.message, 'error')
  const bind = useMutation({ ...bindText(), onError })
  const add = useMutation({ ...addDevelopment(), onError })
  const apply = () =>
    chosen === NEW_ONE
      ? add.mutate({ name: text.trim(), operationId: newOperationId() })
      : bind.mutate({ text, id: Number(chosen) })
  return (
    <li className="flex flex-wrap items-end gap-3">
      <span className="min-w-40 grow self-center">
        <span className="block text-15 font-semibold wrap-anywhere">“{text}” é …</span>
        <span className="block text-13 text-text-3">{countOf(leads, 'lead', 'leads')}</span>
      </span>
      <SelectField label="Empreendimento" value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">Escolha</option>
        {developments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={NEW_ONE}>Um empreendimento novo</option>
      </SelectField>
      <Button
        variant="soft"
        disabled={chosen === '' || !isOnline}
        busy={(bind.isPending || add.isPending) && 'Ligando...'}
        onClick={apply}
      >
        Ligar
      </Button>
    </li>
  )
}
