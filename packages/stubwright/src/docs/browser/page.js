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

/** An example with such an integer comes as text (packages/stubwright/src/docs/exactIntegers.ts). */
function isExactExample(type, example) {
  return /json/i.test(type) && typeof example === 'string' && /^[{[\d-]/.test(example);
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
      isExactExample(type, example) ? example : getSampleSchema(schema, type, config, example);
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

SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#page',
  plugins: [exactIntegers, contractLinks],
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
