// The dialog that edits a listing of the feed by hand. A field that differs from the feed is marked 'mantido', and can
// follow the feed again.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { areaText, centsText, readArea, readCount } from '#domain/development/cells.ts'
import { readCents } from '#domain/lead/list/values.ts'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { SAVE_ONLINE } from '../texts.ts'
import { saveListing, type Listing } from './feed-data.ts'

type Value = string | number | null
const words = { toText: String, read: (text: string) => text, fault: '' }
const price = { toText: centsText, read: readCents, fault: 'Um preço, como 412.000 ou 412 mil.' }
const count = { toText: String, read: readCount, fault: 'Um número inteiro.' }
const NUMBERS = {
  saleCents: { label: 'Venda', ...price },
  rentCents: { label: 'Aluguel', ...price },
  area: { label: 'Área em m²', toText: areaText, read: readArea, fault: 'Uma área, como 62 ou 62,5.' },
  bedrooms: { label: 'Quartos', ...count },
  suites: { label: 'Suítes', ...count },
  bathrooms: { label: 'Banheiros', ...count },
  parking: { label: 'Vagas', ...count },
}
const FIELDS = {
  title: { label: 'Título', ...words },
  description: { label: 'Descrição', ...words },
  ...NUMBERS,
}
type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]
const NUMBER_NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]

const textOf = (name: Name, value: Value | undefined): string =>
  value === null || value === undefined ? '' : (FIELDS[name].toText as (value: Value) => string)(value)

export function ListingDialog({ listing, onClose }: { listing: Listing | null; onClose: () => void }) {
  // The closing animation still shows this listing, so that its text does not vanish at once.
  const [last, setLast] = useState(listing)
  if (listing && listing !== last) setLast(listing)
  return (
    <Dialog isOpen={listing !== null} onClose={onClose} title={last?.code ?? ''}>
      {last && <ListingForm key={last.id} listing={last} onClose={onClose} />}
    </Dialog>
  )
}

function ListingForm({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const isOnline = useIsOnline()
  const [texts, setTexts] = useState(
    () =>
      Object.fromEntries(NAMES.map((name) => [name, textOf(name, listing[name])])) as Record<Name, string>,
  )
  const [faults, setFaults] = useState<Partial<Record<Name, string>>>({})
  const save = useMutation({ ...saveListing(listing.id), onSuccess: onClose })
  const change = (name: Name, text: string) => {
    save.reset()
    setFaults({ ...faults, [name]: undefined })
    setTexts({ ...texts, [name]: text })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const { wanted, faults: found } = readTexts(texts)
    setFaults(found)
    if (Object.keys(found).length === 0) save.mutate(wanted)
  }
  const fed = (name: Name) => (name in listing.kept ? textOf(name, listing.kept[name]) : undefined)
  const kept = (name: Name) => (
    <Kept
      label={FIELDS[name].label}
      fed={fed(name)}
      text={texts[name]}
      onFollow={(text) => change(name, text)}
    />
  )
  const field = (name: Exclude<Name, 'description'>) => (
    <div key={name} className="flex min-w-0 flex-col gap-1">
      <TextField
        label={FIELDS[name].label}
        value={texts[name]}
        readOnly={save.isPending}
        autoComplete="off"
        error={faults[name]}
        onChange={({ target }) => change(name, target.value)}
      />
      {kept(name)}
    </div>
  )
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      {field('title')}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
        {NUMBER_NAMES.map(field)}
      </div>
      <div className="flex flex-col gap-1">
        <Description
          text={texts.description}
          isOff={save.isPending}
          onText={(text) => change('description', text)}
        />
        {kept('description')}
      </div>
      <p className="text-13 text-text-3">
        O que você muda aqui fica: as próximas leituras do feed não tocam nesses campos.
      </p>
      {save.error && (
        <p role="alert" className="text-14 text-danger">
          {save.error.message}
        </p>
      )}
      <FormActions onCancel={onClose}>
        <Button
          type="submit"
          disabled={!isOnline}
          title={isOnline ? undefined : SAVE_ONLINE}
          busy={save.isPending && 'Salvando…'}
        >
          Salvar
        </Button>
      </FormActions>
    </form>
  )
}

type DescriptionProps = { text: string; isOff: boolean; onText: (text: string) => void }

const Description = ({ text, isOff, onText }: DescriptionProps) => (
  <label className="flex flex-col gap-1.5 text-14 font-medium">
    {FIELDS.description.label}
    <textarea
      value={text}
      readOnly={isOff}
      rows={4}
      maxLength={10_000}
      onChange={({ target }) => onText(target.value)}
      className="field-sizing-content max-h-60 min-h-20 w-full rounded-md bg-surface px-4 py-3 text-16 font-regular shadow-input outline-none focus-visible:shadow-input-focus lg:rounded-ctl lg:px-3 lg:text-15"
    />
  </label>
)

type KeptProps = { label: string; fed: string | undefined; text: string; onFollow: (text: string) => void }

/** Shows what the feed has for a field that a person edited, and offers to follow the feed again. */
function Kept({ label, fed, text, onFollow }: KeptProps) {
  if (fed === undefined) return null
  if (text === fed) return <span className="text-13 text-text-3">Volta a seguir o feed.</span>
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-13 text-text-3">
      <Badge tone="neutral">mantido</Badge>
      <button
        type="button"
        aria-label={`${label}: usar o do feed`}
        className="min-h-11 text-left font-medium wrap-anywhere text-primary"
        onClick={() => onFollow(fed)}
      >
        Usar o do feed{fed.length <= 40 && `: ${fed || 'nenhum'}`}
      </button>
    </span>
  )
}

function readTexts(texts: Record<Name, string>) {
  const faults: Partial<Record<Name, string>> = {}
  const wanted: Partial<Record<Name, Value>> = {}
  for (const name of NAMES) {
    const { read, fault } = FIELDS[name]
    const text = texts[name].trim()
    wanted[name] = text === '' ? null : read(text)
    if (text !== '' && wanted[name] === null) faults[name] = fault
  }
  if (wanted.title === null) faults.title = 'O título é obrigatório.'
  return { wanted, faults }
}
