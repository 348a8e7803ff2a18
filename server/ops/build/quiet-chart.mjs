// A Vite plugin: keeps the chart library from writing the styles of its legends into the page, which the content policy refuses
// and no chart of ours has (server/http/secure-headers).

const WRITING = 'this.w.globals.dom.elLegendForeign.appendChild(this.getLegendStyles())'

/** @returns {import('vite').Plugin} */
export const quietChart = () => ({
  name: 'quiet-chart',
  apply: 'build',
  transform(code, id) {
    if (!/\/apexcharts\/dist\/apexcharts\.\w+\.js$/.test(id)) return null
    if (!code.includes(WRITING)) throw new Error(`apexcharts no longer has: ${WRITING}`)
    return { code: code.replace(WRITING, ''), map: null }
  },
})
