// Runs in the browser: Swagger UI on this service's contract, and what it needs to keep integers of
// 64 bits. It sends a body as it is typed; what it shows it would parse, round and write anew.
/* global SwaggerUIBundle */

/** JSON, indented, every number with the digits that it was written with. */
function indented(text) {
  // V8 since 2023, Firefox and Safari since 2025; an older browser shows the text as it came.
  if (JSON.rawJSON === undefined) return text;
  const asWritten = (_key, value, { source }) =>
    typeof value === 'number' ? JSON.rawJSON(source) : value;
  return JSON.stringify(JSON.parse(text, asWritten), null, 2);
}

function isJsonText(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An example with such an integer comes as text (packages/service/src/docs/exactExamples.ts). */
function isExactExample(type, example) {
  return /json/i.test(type) && typeof example === 'string' && /^[{[\d-]/.test(example);
}

/** What the service has written as text (packages/service/src/docs/bodyExamples.ts). */
function isWrittenExample(type, example) {
  const isWritten = /xml|jsonl|x-ndjson|json-seq|event-stream|multipart\/mixed/i.test(type);
  return isWritten && typeof example === 'string';
}

const exactIntegers = {
  wrapComponents: {
    responseBody: (Original, { React, getSystem }) =>
      function ResponseBody(props) {
        const { content, contentType } = props;
        if (!/json/i.test(contentType) || !isJsonText(content)) {
          return React.createElement(Original, props);
        }
        const HighlightCode = getSystem().getComponent('HighlightCode', true);
        const look = {
          language: 'json',
          downloadable: true,
          fileName: 'answer.json',
          canCopy: true,
        };
        return React.createElement(
          'div',
          null,
          React.createElement('h5', null, 'Response body'),
          React.createElement(HighlightCode, look, indented(content)),
        );
      },
  },
  afterLoad({ fn }) {
    const { getSampleSchema } = fn;
    fn.getSampleSchema = (schema, type, config, example) =>
      isExactExample(type, example) || isWrittenExample(type, example)
        ? example
        : getSampleSchema(schema, type, config, example);
  },
};

/** Under the title, where Swagger UI names the file that it read: the ones meant for clients. */
const contractLinks = {
  wrapComponents: {
    InfoUrl: (_Original, { React }) =>
      function ContractLinks() {
        const link = (href) => React.createElement('a', { className: 'link', href }, href);
        return React.createElement('span', null, link('openapi.yaml'), ' ', link('openapi.json'));
      },
  },
};

/** A link within the button of an operation cannot be operated with a keyboard; the button sets the URL. */
const plainSummaries = {
  wrapComponents: {
    DeepLink: (Original, { React }) =>
      function DeepLink(props) {
        // The path of a tag has no slash.
        return props.path.includes('/')
          ? React.createElement('span', null, props.text)
          : React.createElement(Original, props);
      },
  },
};

/** Swagger UI leaves these without a name for assistive technology. */
const NAMES = {
  '#servers': 'Server',
  'textarea.curl': 'Request as a curl command',
  'textarea.body-param__text': 'Request body',
  '.examples-select-element': 'Example',
  '.body-param select.content-type': 'Media type of the request body',
  '.close-modal': 'Close',
  '.copy-to-clipboard button': 'Copy',
  '.download-contents': 'Download the response body',
};

/** @returns the name of the parameter or property of a control, or of its section */
function contextOf(control) {
  const row = control.closest('tr');
  const name = row?.dataset.paramName ?? row?.querySelector('.parameter__name')?.firstChild?.data;
  return name ?? control.closest('.opblock-section')?.querySelector('h4')?.textContent ?? 'Value';
}

function nameControls() {
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const control of document.querySelectorAll(selector)) control.ariaLabel = name;
  }
  for (const control of document.querySelectorAll('select, textarea, input')) {
    if (control.labels.length === 0 && control.ariaLabel === null && control.title === '') {
      control.ariaLabel = contextOf(control);
    }
  }
  const accordions = '.model-box-control, .json-schema-2020-12-accordion';
  for (const button of document.querySelectorAll(accordions)) {
    if (button.textContent.trim() === '') button.ariaLabel = 'Schema';
  }
  // The name of a button contains its text (WCAG 2.2, 2.5.3).
  for (const button of document.querySelectorAll('.auth-btn-wrapper button')) {
    button.ariaLabel = null;
  }
  // A keyboard scrolls only an element that has the focus.
  for (const block of document.querySelectorAll('pre, table, article, .model-box')) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  }
}

const isDark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
isDark.addEventListener('change', followScheme);
followScheme();
new MutationObserver(nameControls).observe(document.getElementById('page'), {
  childList: true,
  subtree: true,
});

SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#page',
  plugins: [exactIntegers, contractLinks, plainSummaries],
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  syntaxHighlight: { theme: 'tomorrow-night' },
  validatorUrl: null,
});
