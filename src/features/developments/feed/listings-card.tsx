// Lists the listings that came from the feed. The user can search, filter, and publish each one.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ExternalLink, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { formatDate } from '#domain/format.ts'
import { shortDay, shortReais } from '#domain/development/price-words.ts'
import { toast } from '#ui/feedback/toast.ts'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { FilterChips } from '#ui/primitives/chips.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Table, type Column } from '#ui/primitives/table.tsx'
import { NO_PRICE } from '../texts.ts'
import { listingsQuery, publishPage, type FeedState, type Listing, type ListingFilter } from './feed-data.ts'
import { ListingDialog } from './listing-dialog.tsx'

/** A price is always shown with the day it is from. */
function priceWords({ saleCents, rentCents, pricedOn }: Listing): string {
  const amount = [saleCents, rentCents]
    .flatMap((cents) => (cents === null ? [] : [shortReais(cents)]))
    .join(' · ')
  return amount === '' || pricedOn === null ? NO_PRICE : `${amount} · em ${shortDay(pricedOn)}`
}

type Row = Listing & { edit: () => void }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Imóvel', place: 'head', cell: (row) => <Named {...row} /> },
  {
    title: 'Preço',
    place: 'words',
    cell: (row) => <span className="whitespace-nowrap">{priceWords(row)}</span>,
  },
  { title: 'Empreendimento', cell: ({ development }) => development ?? '–' },
  { title: 'Angariador', cell: ({ lister }) => lister ?? '–' },
  { title: 'Publicar', cell: (row) => <Publish {...row} /> },
  {
    title: 'Editar',
    cell: ({ title, edit }) => <IconButton icon={Pencil} label={`Editar ${title}`} onClick={edit} />,
  },
]

const Named = ({ title, code, district, city, kept }: Listing) => (
  <span className="block min-w-0">
    <span className="block font-medium wrap-anywhere">{title}</span>
    <span className="block text-13 text-text-3">{[code, district, city].filter(Boolean).join(' · ')}</span>
    {Object.keys(kept).length > 0 && (
      <Badge tone="neutral">{countOf(Object.keys(kept).length, 'campo mantido', 'campos mantidos')}</Badge>
    )}
  </span>
)

export function ListingsCard({ feed }: { feed: FeedState }) {
  const [filter, setFilter] = useState<ListingFilter>('feed')
  const [search, setSearch] = useState('')
  const read = useInfiniteQuery(listingsQuery(filter, search.trim()))
  const [edited, setEdited] = useState<Listing | null>(null)
  const rows = read.data?.pages.flat().map((row): Row => ({ ...row, edit: () => setEdited(row) })) ?? []
  return (
    <Card title="Imóveis">
      <div className="flex flex-wrap items-center gap-2.5 px-4 pb-3 lg:px-5">
        <div className="flex basis-60">
          <SearchBox label="Código, título ou bairro" text={search} onText={setSearch} />
        </div>
        <FilterChips
          label="Imóveis"
          chosen={filter}
          onChoose={setFilter}
          choices={[
            { value: 'feed', label: 'No feed', count: feed.listings },
            { value: 'published', label: 'Publicados' },
            { value: 'left', label: 'Saíram', count: feed.left },
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <p className="border-t border-border px-4 py-6 text-14 text-text-3 lg:px-5">
          {read.isPending
            ? 'Carregando…'
            : search === ''
              ? 'Nenhum imóvel aqui.'
              : `Nenhum imóvel com “${search}”.`}
        </p>
      ) : (
        <div className="max-h-140 overflow-y-auto border-t border-border">
          <Table label="Imóveis do feed" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
        </div>
      )}
      <ListingDialog listing={edited} onClose={() => setEdited(null)} />
      {read.hasNextPage && (
        <p className="border-t border-border px-5 py-2">
          <Button
            variant="ghost"
            busy={read.isFetchingNextPage && 'Carregando…'}
            onClick={() => void read.fetchNextPage()}
          >
            Ver mais
          </Button>
        </p>
      )}
    </Card>
  )
}

function Publish({ id, title, slug, isPublished, leftFeedAt }: Listing) {
  const isOnline = useIsOnline()
  const publish = useMutation({ ...publishPage(), onError: (error) => toast(error.message, 'error') })
  if (leftFeedAt !== null)
    return <Badge tone="warning">Saiu em {formatDate(Date.parse(leftFeedAt)).slice(0, 5)}</Badge>
  return (
    <span className="flex items-center gap-1">
      <Switch
        isBare
        label={`Publicar ${title}`}
        isOn={isPublished}
        isDisabled={!isOnline || publish.isPending}
        onChange={(isOn) => publish.mutate({ listingId: id, isPublished: isOn })}
      />
      {isPublished && slug !== null && <PageLink slug={slug} title={title} />}
    </span>
  )
}

export const PageLink = ({ slug, title }: { slug: string; title: string }) => (
  <a
    href={`/i/${slug}`}
    target="_blank"
    rel="noreferrer"
    aria-label={`Abrir a página de ${title}`}
    className="inline-flex size-11 items-center justify-center rounded-md text-primary hover:bg-surface-2"
  >
    <Icon of={ExternalLink} size={18} />
  </a>
)
