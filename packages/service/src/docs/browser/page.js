// Runs before Scalar, and starts it: integers of 64 bits stay exact, each scheme accepts a pasted token,
// and each control has a name.
/* global Scalar */

/** JSON.parse with integers beyond 2^53 as BigInt, which JSON.stringify writes with the same digits. */
if (JSON.rawJSON !== undefined) {
  const { parse } = JSON;
  const exact = (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value;
  JSON.parse = (text, reviver) => parse(text, reviver ?? (/\d{16}/.test(text) ? exact : undefined));
  BigInt.prototype.toJSON = function toJson() {
    return JSON.rawJSON(String(this));
  };
}

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'default',
];

/** Scalar shows 0 for a bound that is a BigInt: the description has it instead. */
function showBounds(node) {
  if (typeof node !== 'object' || node === null) return;
  const large = BOUNDS.filter((name) => typeof node[name] === 'bigint');
  for (const each of Object.values(node)) showBounds(each);
  if (large.length === 0) return;
  const lines = large.map((name) => `${name}: ${node[name]}`);
  node.description = [node.description, ...lines].filter(Boolean).join('\n\n');
  for (const name of large) delete node[name];
}

/** For each scheme that gets its token from an issuer, an alternative for a token that is pasted. */
function acceptTokens(contract) {
  const schemes = contract.components?.securitySchemes ?? {};
  const pasted = new Map();
  for (const [name, { type }] of Object.entries(schemes)) {
    if (type !== 'oauth2' && type !== 'openIdConnect') continue;
    pasted.set(name, `${name} (token)`);
    schemes[`${name} (token)`] = { type: 'http', scheme: 'bearer' };
  }
  const withPasted = (requirement) => {
    const names = Object.keys(requirement);
    if (!names.some((name) => pasted.has(name))) return [requirement];
    const entries = names.map((name) => [
      pasted.get(name) ?? name,
      pasted.has(name) ? [] : requirement[name],
    ]);
    return [requirement, Object.fromEntries(entries)];
  };
  const operations = Object.values(contract.paths ?? {}).flatMap((item) =>
    Object.values(item ?? {}),
  );
  for (const holder of [contract, ...operations]) {
    if (Array.isArray(holder?.security)) holder.security = holder.security.flatMap(withPasted);
  }
}

/** Scalar leaves these without a name or with a wrong role (WCAG 2.2, 4.1.2). */
function nameControls() {
  // A narrow page hides the text of these.
  for (const link of document.querySelectorAll('a[href]:has(svg):not([aria-label])')) {
    link.ariaLabel = link.textContent.trim() || link.href;
  }
  for (const button of document.querySelectorAll('button:not([aria-label])')) {
    if (button.textContent.trim() === '') button.ariaLabel = 'More';
  }
  for (const each of document.querySelectorAll('.cm-content:not([aria-label])')) {
    each.ariaLabel = 'Body';
  }
  // A keyboard scrolls only an element that has the focus.
  for (const each of document.querySelectorAll('.cm-scroller')) each.tabIndex = 0;
  for (const each of document.querySelectorAll('[role=combobox]:not([aria-expanded])')) {
    each.ariaExpanded = 'false';
  }
  for (const each of document.querySelectorAll('button[role=none]')) each.removeAttribute('role');
  for (const each of document.querySelectorAll('[aria-controls]')) {
    const id = each.getAttribute('aria-controls');
    if (document.getElementById(id) === null) each.removeAttribute('aria-controls');
  }
}

async function start() {
  const page = document.getElementById('page');
  new MutationObserver(nameControls).observe(document.body, { childList: true, subtree: true });
  const response = await fetch('openapi.json');
  const contract = JSON.parse(await response.text());
  showBounds(contract);
  acceptTokens(contract);
  const files = '[openapi.yaml](openapi.yaml) · [openapi.json](openapi.json)';
  contract.info.description = [files, contract.info.description].filter(Boolean).join('\n\n');
  Scalar.createApiReference(page, {
    content: contract,
    servers: [{ url: page.dataset.server }],
    documentDownloadType: 'none',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
  });
}

document.addEventListener('DOMContentLoaded', start);
