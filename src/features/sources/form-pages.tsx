// Settings of a website's own form: which pages may send to the portal, and a form to paste into them.
import { useMutation } from '@tanstack/react-query'
import { Code } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { PortalError } from '#domain/errors.ts'
import { toast } from '#ui/feedback/toast.ts'
import { copyText } from '#ui/clipboard.ts'
import { Button } from '#ui/primitives/button.tsx'
import { changeSource, getSourceAddress, type Source } from './data.ts'
import { formSnippet } from './form-snippet.ts'
import { pagesIn } from './source-draft.ts'
import { ADDRESS_FAILED, ADDRESS_NOT_COPIED, CHANGE_FAILED } from './texts.ts'

const SAVE_PAGES = 'Salvar páginas'

export function FormPages({ source: { id, settings } }: { source: Source }) {
  const hintId = useId()
  const [text, setText] = useState(settings.origins.join('\n'))
  const pages = pagesIn(text)
  const { mutate, isPending } = useMutation({
    ...changeSource(id),
    onSuccess: () => toast('Salvo', 'success'),
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (pages && !isPending) mutate({ settings: { origins: pages } })
  }
  const copy = async () => {
    try {
      const isCopied = await copyText(formSnippet(await getSourceAddress(id)))
      toast(isCopied ? 'Formulário copiado' : ADDRESS_NOT_COPIED, isCopied ? 'success' : 'error')
    } catch (error) {
      toast(error instanceof PortalError ? error.message : ADDRESS_FAILED, 'error')
    }
  }
  return (
    <form
      noValidate
      onSubmit={save}
      className="flex flex-col gap-3 px-5 py-5 shadow-[0_-1px_0_var(--color-border)] max-[1199px]:px-3"
    >
      <PagesField value={text} hasFault={pages === null} hintId={hintId} onChange={setText} />
      <span className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="soft"
          size="small"
          disabled={pages === null}
          busy={isPending && SAVE_PAGES}
        >
          {SAVE_PAGES}
        </Button>
        <Button variant="line" size="small" icon={Code} type="button" onClick={() => void copy()}>
          Copiar formulário
        </Button>
      </span>
      <p className="text-13 leading-snug text-text-3">
        Cole no site e mude o que quiser. O campo escondido segura robôs.
      </p>
    </form>
  )
}

type PagesFieldProps = { value: string; hasFault: boolean; hintId: string; onChange: (text: string) => void }

export function PagesField({ value, hasFault, hintId, onChange }: PagesFieldProps) {
  return (
    <label className="flex flex-col gap-1.5">
      <span className="text-14 font-medium">Páginas do site</span>
      <textarea
        rows={2}
        value={value}
        aria-invalid={hasFault}
        aria-describedby={hintId}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-md bg-surface px-3.5 py-2.5 text-16 shadow-input outline-none focus-visible:shadow-input-focus lg:rounded-ctl lg:text-14"
      />
      <span id={hintId} className={`text-13 leading-snug ${hasFault ? 'text-danger' : 'text-text-3'}`}>
        {hasFault
          ? 'Confira as páginas: só o endereço, como https://www.imobiliaria.com.br.'
          : 'Uma por linha, como https://www.imobiliaria.com.br. Só o navegador dessas páginas pode enviar.'}
      </span>
    </label>
  )
}
