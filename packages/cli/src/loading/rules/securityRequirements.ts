// Security requirements without a scheme.
import type { ContractRule } from './rule.ts';

export const securityRequirements: ContractRule = {
  code: 'security-scheme',
  objects: {
    SecurityRequirement(requirement, visit, context) {
      const components = context.property(context.root, 'components');
      const schemes = Object(context.property(components, 'securitySchemes')?.node);
      for (const name of Object.keys(requirement)) {
        if (Object.hasOwn(schemes, name)) continue;
        const known = Object.keys(schemes).join(', ') || 'one in components.securitySchemes';
        const message = `the security scheme ${name} is unknown  expected ${known}`;
        context.reporter.error(visit, message, { keys: [name], isKey: true, isMockable: true });
      }
    },
  },
};
