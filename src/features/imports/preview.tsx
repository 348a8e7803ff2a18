// How the first rows of a list will come in, and how many of all cannot, by why.
import { FAULT_TEXT } from '#domain/lead/list/row.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import type { Checked } from './list-protocol.ts'
import { faultText, goodText } from './texts.ts'

const PREVIEW = 'Como vai entrar'

type PreviewRow = Checked['preview'][number]

const COLUMNS: readonly Column<PreviewRow>[] = [
  { title: 'Linha', place: 'mark', isNumber: true, cell: ({ place }) => place },
  {
    title: 'Nome',
    place: 'head',
    cell: ({ lead }) => (lead === null ? '–' : (lead.name ?? <span className="text-text-3">Sem nome</span>)),
  },
  {
    title: 'Contato',
    place: 'words',
    cell: ({ lead, fault }) =>
      lead === null ? (
        <span className="text-on-danger-soft">{FAULT_TEXT[fault]}</span>
      ) : (
        <span className="wrap-anywhere tabular-nums">
          {[lead.number !== null && formatPhone(lead.number), lead.email].filter(Boolean).join(' · ')}
        </span>
      ),
  },
  { title: 'Empreendimento', cell: ({ lead }) => lead?.development ?? '–' },
]

export function Preview({ checked: { good, preview, faults } }: { checked: Checked }) {
  return (
    <section aria-label={PREVIEW} className="flex flex-col gap-2">
      <h3 className="text-15 font-semibold">{PREVIEW}</h3>
      <div className="rounded-md shadow-line">
        <Table label={PREVIEW} columns={COLUMNS} rows={preview} keyOf={({ place }) => place} />
      </div>
      <output className="block text-14 leading-body">
        {goodText(good)}
        {faults.map(({ fault, count }) => (
          <span key={fault} className="block text-on-danger-soft">
            {faultText(count, FAULT_TEXT[fault])}
          </span>
        ))}
      </output>
    </section>
  )
}
