// Pages of lists, as `x-pagination` describes them: cursors, pages, offsets and links.

export { page } from './pages/page.ts';
export type {
  AfterOf,
  CursorSource,
  KeyValue,
  OffsetSource,
  OrderOf,
  PageItem,
  PageReply,
} from './pages/pageTypes.ts';
