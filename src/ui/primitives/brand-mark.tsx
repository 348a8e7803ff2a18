// The agency's logo, or the portal's. It is the page's icon, so that no script contains a drawing.
import { classNames } from './class-names.ts'

export const BRAND_ICON = document.querySelector<HTMLLinkElement>('[sizes=any]')?.href

export function BrandMark({ className }: { className: string }) {
  return <img src={BRAND_ICON} alt="" className={classNames('shrink-0', className)} />
}
