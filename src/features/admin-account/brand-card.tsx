// 'Marca': the agency's name, colour and logo.
import { useMutation, useQuery } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { reloadNewest } from '#live/newest.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { type Brand, type BrandIntent, brandQuery, saveBrand } from './brand-data.ts'
import { drawIcons } from './brand-icons.ts'
import { Section } from './section.tsx'

const USUAL_COLOR = '#005a68'
const NO_PICTURE = 'Este arquivo não é uma imagem. Escolha um PNG, JPEG ou SVG.'

export function BrandCard() {
  const read = useQuery(brandQuery())
  return (
    <Section title="Marca" hint="O nome, a cor e o ícone que a equipe vê no portal e na tela inicial.">
      <div className="pt-4">
        {read.data ? (
          <BrandForm key={JSON.stringify(read.data)} brand={read.data} />
        ) : read.error ? (
          <FailedRead of={read} />
        ) : (
          <Skeleton className="h-48 rounded-lg!" />
        )}
      </div>
    </Section>
  )
}

function BrandForm({ brand }: { brand: Brand }) {
  const isOnline = useIsOnline()
  const [intent, setIntent] = useState<BrandIntent>({
    name: brand.name ?? '',
    color: brand.color,
    icons: null,
  })
  const [isUnreadable, setUnreadable] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({
    ...saveBrand(),
    onSuccess: () => {
      toast('Marca salva. Os outros aparelhos a mostram quando abrirem o portal de novo.', 'success')
      void reloadNewest()
    },
  })
  const change = (part: Partial<BrandIntent>) => {
    reset()
    setUnreadable(false)
    setIntent((before) => ({ ...before, ...part }))
  }
  const choose = async (file: File) => {
    const icons = await drawIcons(file)
    if (icons) change({ icons })
    else setUnreadable(true)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending && isOnline) mutate(intent)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col items-start gap-5">
      <div className="w-full max-w-100">
        <TextField
          label="Nome da imobiliária"
          value={intent.name}
          maxLength={30}
          autoComplete="organization"
          onChange={({ target }) => change({ name: target.value })}
        />
      </div>
      <ColorChoice color={intent.color} onChange={(color) => change({ color })} />
      <LogoChoice
        shown={shownLogo(intent, brand)}
        onChoose={(file) => void choose(file)}
        onRemove={() => change({ icons: {} })}
      />
      <p role="alert" className="text-13 text-danger empty:hidden">
        {isUnreadable ? NO_PICTURE : error?.message}
      </p>
      {!isOnline && <p className="text-13 text-text-3">{ONLINE_ONLY}</p>}
      <Button type="submit" disabled={!isOnline} busy={isPending && 'Salvando...'}>
        Salvar marca
      </Button>
    </form>
  )
}

type ColorProps = { color: string | null; onChange: (color: string | null) => void }

function ColorChoice({ color, onChange }: ColorProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label className="flex items-center gap-3 text-14 font-medium">
        Cor da imobiliária
        <input
          type="color"
          value={color ?? USUAL_COLOR}
          onChange={({ target }) => onChange(target.value)}
          className="h-11 w-14 rounded-md bg-surface"
        />
      </label>
      {color !== null && (
        <Button size="small" variant="ghost" onClick={() => onChange(null)}>
          Usar a cor do portal
        </Button>
      )}
      <p className="w-full text-13 text-text-3">
        Onde ela não puder ser lida, no claro ou no escuro, o portal usa um tom mais forte dela.
      </p>
    </div>
  )
}

type LogoProps = { shown: string | null; onChoose: (file: File) => void; onRemove: () => void }

function LogoChoice({ shown, onChoose, onRemove }: LogoProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-wrap items-center gap-3">
      {shown !== null && <img src={shown} alt="Logotipo" className="size-16 rounded-md object-contain" />}
      <input
        ref={input}
        type="file"
        aria-label="Arquivo do logotipo"
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button variant="line" icon={ImageUp} onClick={() => input.current?.click()}>
        {shown === null ? 'Escolher logotipo' : 'Trocar logotipo'}
      </Button>
      {shown !== null && (
        <Button size="small" variant="ghost" onClick={onRemove}>
          Remover logotipo
        </Button>
      )}
    </div>
  )
}

/** Returns the newly chosen logo, otherwise the stored one; null if the agency has none. */
function shownLogo({ icons }: BrandIntent, { logo }: Brand): string | null {
  if (icons === null) return logo === null ? null : `/icons/192.png?v=${logo}`
  const chosen = icons['192']
  return chosen === undefined ? null : `data:image/png;base64,${chosen}`
}
