// VitePress' default theme with the picture of the home page, and Mermaid diagrams.
import theme from 'vitepress/theme';
import { defineComponent, h, onMounted, ref } from 'vue';
import recording from '../../../recording.svg';
import './style.css';

const INSTALL = 'npx stubwright init openapi.yaml my-service';

const Pitch = () =>
  h('div', { class: 'pitch' }, [
    h('pre', { tabindex: '0' }, h('code', `$ ${INSTALL}`)),
    h('img', {
      src: recording,
      alt: 'A terminal: stubwright mocks a contract, writes a typed service for it, and reports the change that breaks clients',
    }),
  ]);

/** Draws `source`, which is shown until the library is loaded. */
const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const text = decodeURIComponent(source);
    const svg = ref('');
    onMounted(async () => {
      const { default: mermaid } = await import('mermaid');
      const isDark = document.documentElement.classList.contains('dark');
      mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'neutral' });
      const { svg: drawn } = await mermaid.render(`diagram-${crypto.randomUUID()}`, text);
      svg.value = drawn;
    });
    return () =>
      svg.value === ''
        ? h('pre', { tabindex: '0' }, text)
        : h('div', {
            class: 'diagram',
            role: 'img',
            tabindex: '0',
            'aria-label': 'Diagram',
            innerHTML: svg.value,
          });
  },
});

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-after': Pitch }),
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component('Diagram', Diagram);
  },
};
