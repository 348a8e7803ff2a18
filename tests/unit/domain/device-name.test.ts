import { deviceName } from '#domain/device-name.ts'
import { table } from '#tests/support/table.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

table('%s is %s', deviceName, [
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 7) ${WEBKIT} Chrome/131.0 Mobile Safari/537.36`,
    'Android · Chrome',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${WEBKIT} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    'Android · Samsung Internet',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'iPhone · Safari',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0 Safari/537.36 Edg/131.0`,
    'Windows · Edge',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0', 'Mac · Firefox'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/131.0 Safari/537.36 OPR/117.0`, 'Linux · Opera'],
  ['', 'Aparelho'],
])
