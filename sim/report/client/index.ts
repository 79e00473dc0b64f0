/** The script of the page, a module. Its parts share one scope, in this order: what is below uses what is above. */
import { BRUSH } from './brush.js'
import { CANDIDATES } from './candidates.js'
import { DATA } from './data.js'
import { DOM } from './dom.js'
import { FORMAT } from './format.js'
import { HEADER } from './header.js'
import { HITS } from './hits.js'
import { INK } from './ink.js'
import { KEYS } from './keys.js'
import { LANES } from './lanes.js'
import { LEGEND } from './legend.js'
import { LINKS } from './links.js'
import { LOG } from './log.js'
import { OVERVIEW } from './overview.js'
import { PAINT } from './paint.js'
import { PAINT_RUNS } from './paint-runs.js'
import { PAINT_TIME } from './paint-time.js'
import { PANEL } from './panel.js'
import { POINTER } from './pointer.js'
import { RUN_LIST } from './run-list.js'
import { START } from './start.js'
import { STINTS } from './stints.js'
import { TOOLBAR } from './toolbar.js'
import { TOOLTIP } from './tooltip.js'
import { VIEW } from './view.js'

const PARTS: readonly string[] = [
  DOM,
  FORMAT,
  DATA,
  STINTS,
  LANES,
  VIEW,
  INK,
  BRUSH,
  PAINT,
  PAINT_RUNS,
  PAINT_TIME,
  HITS,
  CANDIDATES,
  TOOLTIP,
  POINTER,
  KEYS,
  OVERVIEW,
  TOOLBAR,
  LEGEND,
  HEADER,
  RUN_LIST,
  PANEL,
  LOG,
  LINKS,
  START,
]

export const clientScript: string = PARTS.join('').trimStart()
