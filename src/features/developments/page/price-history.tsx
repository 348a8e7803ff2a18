// 'Histórico de preços' of a development: the newest prices with who set them and when.
import { displayName } from '#domain/broker.ts'
import { centsText } from '#domain/development/cells.ts'
import { dayText } from '#domain/development/price-words.ts'
import { formatDateTime } from '#domain/format.ts'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import type { DevelopmentDetails } from '../data.ts'

type Price = DevelopmentDetails['prices'][number]

export function PriceHistory({ prices }: { prices: readonly Price[] }) {
  if (prices.length === 0) return null
  return (
    <Collapsible title="Histórico de preços">
      <ol className="divide-y divide-border border-t border-border text-14">
        {prices.map((price) => (
          <li
            key={`${price.plan} ${price.changedAt} ${price.priceCents}`}
            className="flex flex-wrap gap-x-4 px-5 py-2.5"
          >
            <span className="grow font-medium wrap-anywhere">{price.plan || 'Empreendimento'}</span>
            <span className="tabular-nums">{amountOf(price)}</span>
            <span className="basis-full text-13 text-text-3">
              {[formatDateTime(Date.parse(price.changedAt)), price.changedBy && displayName(price.changedBy)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </Collapsible>
  )
}

function amountOf({ priceCents, validUntil }: Price): string {
  if (priceCents === null) return 'Sem preço'
  return centsText(priceCents) + (validUntil === null ? '' : ` até ${dayText(validUntil)}`)
}
