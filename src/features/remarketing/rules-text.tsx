// The rules of sending as a broker reads them.
import type { CampaignSettings } from '#data/campaign-rules.ts'
import { ruleLines } from './texts.ts'

export function RulesText({ settings }: { settings: CampaignSettings }) {
  return (
    <ul className="flex flex-col gap-3 px-3 pb-2">
      {ruleLines(settings).map(({ title, text }) => (
        <li key={title}>
          <p className="text-15 font-medium">{title}</p>
          <p className="text-14 leading-message text-text-2">{text}</p>
        </li>
      ))}
    </ul>
  )
}
